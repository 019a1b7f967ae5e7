/** State of an upstream address. All threads and proxies share it, and it survives configuration changes. */
import { guarded, maxTimer, taskOf } from '@sluice/base';
import type { Pooled } from '@sluice/registry';
import { readOnlyCell, type SharedCell } from '@sluice/threads';
import type { UpstreamWaiters } from './upstream-waiters.ts';
import { failureKinds, recently, type FailureKind, type FailureRun } from './upstream-state.ts';

const task = taskOf('http.handlers.reverse_proxy');

/** Indexes of counters in the shared memory cell. Counters 0 and 1 are corrected when a thread dies. */
const inFlight = 0;
const failed = 1;
const drained = 2;
const recentFailures = 3;
const lastKind = 4;
/**
 * Index of the counter that stores when a failure last expired, in seconds since 1970. It is a counter because all number fields of the
 * cell are in use.
 */
const forgotten = 5;
/** Indexes of numbers in the shared memory cell. Times are in milliseconds since 1970. */
const meanLatency = 0;
const firstResponse = 1;
const firstFailure = 2;
const lastFailure = 3;

/** Weight of the latest response in the moving average of the latency. */
const latencyWeight = 1 / 16;

/**
 * Failures that occur within this many milliseconds are grouped and expire together. An unreachable upstream may fail thousands of times
 * per second.
 */
const failGrain = 5;

interface FailGroup {
  readonly at: number;
  count: number;
  readonly timer: NodeJS.Timeout;
}

export interface HostCounter {
  /** Counts a request as in flight. */
  enter(): void;
  leave(): void;
  /** Counts a response. `latency` is the time to first byte, in milliseconds. Status 0 means that there was no response. */
  count(status: number, latency: number): void;
  /** Counts a retry, that is, a request sent after a failed attempt. */
  retry(): void;
  /** Adds to the number of body bytes sent to and received from the upstream. */
  transfer(sent: number, received: number): void;
}

/** An upstream address. Each thread has one object per address, backed by shared memory. */
export class UpstreamHost implements Pooled {
  readonly address: string;
  /** Queue for requests that wait for capacity. `null` until a proxy with a queue uses the address. */
  waiters: UpstreamWaiters | null = null;
  readonly #cell: SharedCell;
  /** Request statistics; `null` in threads that don't serve traffic. */
  readonly #counter: HostCounter | null;
  /** The latest group of failures for each expiry time. */
  readonly #latest = new Map<number, FailGroup>();
  readonly #groups = new Set<FailGroup>();

  constructor(address: string, cell: SharedCell, counter: HostCounter | null) {
    this.address = address;
    this.#cell = cell;
    this.#counter = counter;
  }

  /** Returns a read-only copy of the upstream's state for dry runs. */
  readOnly(): UpstreamHost {
    return new UpstreamHost(this.address, readOnlyCell(this.#cell), null);
  }

  /** Number of requests in flight, across all threads. */
  get requests(): number {
    return this.#cell.get(inFlight);
  }

  /** Number of failures that have not expired, across all threads. */
  get fails(): number {
    return this.#cell.get(failed);
  }

  /** True while the upstream is draining because an operator stopped new requests to it. */
  get draining(): boolean {
    return this.#cell.get(drained) !== 0;
  }

  set draining(on: boolean) {
    this.#cell.set(drained, on ? 1 : 0);
  }

  /** Moving average of the time to first byte, in milliseconds; 0 before the first response. */
  get latency(): number {
    return this.#cell.number(meanLatency);
  }

  /** Records a response latency. If two threads write at the same time, one value may be lost. */
  noteLatency(latency: number): void {
    const mean = this.#cell.number(meanLatency);
    if (mean === 0) this.#cell.setNumber(firstResponse, Date.now());
    this.#cell.setNumber(meanLatency, mean === 0 ? latency : mean + (latency - mean) * latencyWeight);
  }

  /** Time of the first response, in milliseconds since 1970; 0 if there was none. */
  get respondedAt(): number {
    return this.#cell.number(firstResponse);
  }

  get failures(): FailureRun {
    return {
      firstAt: this.#cell.number(firstFailure),
      lastAt: this.#cell.number(lastFailure),
      count: this.#cell.get(recentFailures),
      kind: failureKinds[this.#cell.get(lastKind) - 1] ?? null,
    };
  }

  /** Time when a failure last expired, in milliseconds since 1970; 0 if never. */
  get forgottenAt(): number {
    return (this.#cell.get(forgotten) >>> 0) * 1000;
  }

  /** Records a failed request. If two threads write at the same time, one failure may be lost. */
  noteFailure(kind: FailureKind): void {
    const now = Date.now();
    if (now - this.#cell.number(lastFailure) >= recently) {
      this.#cell.setNumber(firstFailure, now);
      this.#cell.set(recentFailures, 0);
    }
    this.#cell.setNumber(lastFailure, now);
    this.#cell.add(recentFailures, 1);
    this.#cell.set(lastKind, failureKinds.indexOf(kind) + 1);
  }

  /** Counts a request as in flight. Returns false if `limit` has been reached; 0 means no limit. */
  enter(limit: number): boolean {
    if (limit === 0) this.#cell.enter(inFlight);
    else if (!this.#cell.enterBelow(inFlight, limit)) return false;
    this.#counter?.enter();
    return true;
  }

  leave(): void {
    this.#cell.leave(inFlight);
    this.#counter?.leave();
    this.waiters?.freed();
  }

  /** Counts a response by status. Status 0 means that there was no response. `latency` is the time to first byte, in milliseconds. */
  count(status: number, latency: number): void {
    this.#counter?.count(status, latency);
  }

  /** Counts a retry, that is, a request sent after a failed attempt. */
  countRetry(): void {
    this.#counter?.retry();
  }

  countBytes(sent: number, received: number): void {
    this.#counter?.transfer(sent, received);
  }

  /** Counts a failure that expires after `duration` milliseconds. */
  fail(duration: number): void {
    this.#cell.enter(failed);
    const now = performance.now();
    const latest = this.#latest.get(duration);
    if (latest !== undefined && now - latest.at < failGrain) {
      latest.count++;
      return;
    }
    const group: FailGroup = {
      at: now,
      count: 1,
      timer: setTimeout(
        guarded(task, () => this.#forget(group)),
        Math.min(duration, maxTimer),
      ),
    };
    group.timer.unref();
    this.#latest.set(duration, group);
    this.#groups.add(group);
  }

  #forget(group: FailGroup): void {
    this.#groups.delete(group);
    this.#cell.set(forgotten, Math.floor(Date.now() / 1000));
    for (; group.count > 0; group.count--) this.#cell.leave(failed);
  }

  close(): void {
    this.waiters?.close();
    for (const group of this.#groups) clearTimeout(group.timer);
    for (const group of [...this.#groups]) this.#forget(group);
    this.#cell.release();
  }
}
