/** What is known of an address that is proxied to, whoever does it: the same in all threads, kept over configurations. */
import { guarded, maxTimer, taskOf } from '@sluice/base';
import type { UpstreamCounter } from '../../stats/upstream-stats.ts';
import type { Pooled } from '@sluice/registry';
import { readOnlyCell, type SharedCell } from '@sluice/threads';
import { failureKinds, recently, type FailureKind, type FailureRun } from './upstream-state.ts';

const task = taskOf('http.handlers.reverse_proxy');

/** Counters of the cell. Only 0 and 1 are counted out when a thread dies. */
const inFlight = 0;
const failed = 1;
const drained = 2;
const recentFailures = 3;
const lastKind = 4;
/** In seconds since 1970, as the numbers are taken. */
const forgotten = 5;
/** Numbers of the cell. Times are in milliseconds since 1970. */
const meanLatency = 0;
const firstResponse = 1;
const firstFailure = 2;
const lastFailure = 3;

/** How much the latest response counts in the mean latency. */
const latencyWeight = 1 / 16;

/** Failures within this time are forgotten together, in milliseconds: a dead upstream may fail thousands of times a second. */
const failGrain = 5;

interface FailGroup {
  readonly at: number;
  count: number;
  readonly timer: NodeJS.Timeout;
}

/** An address. One object per thread. */
export class UpstreamHost implements Pooled {
  readonly address: string;
  readonly #cell: SharedCell;
  /** What is counted of it for the stats; `null` in a thread that does not serve. */
  readonly #counter: UpstreamCounter | null;
  /** The youngest group of failures, per duration. */
  readonly #latest = new Map<number, FailGroup>();
  readonly #groups = new Set<FailGroup>();

  constructor(address: string, cell: SharedCell, counter: UpstreamCounter | null) {
    this.address = address;
    this.#cell = cell;
    this.#counter = counter;
  }

  /** The same address for rehearsals: it can be looked at, and counts nothing. */
  readOnly(): UpstreamHost {
    return new UpstreamHost(this.address, readOnlyCell(this.#cell), null);
  }

  /** Requests in flight, of all threads. */
  get requests(): number {
    return this.#cell.get(inFlight);
  }

  /** Failures that still count, of all threads. */
  get fails(): number {
    return this.#cell.get(failed);
  }

  /** Whether it gets no new requests, because an administrator said so. */
  get draining(): boolean {
    return this.#cell.get(drained) !== 0;
  }

  set draining(on: boolean) {
    this.#cell.set(drained, on ? 1 : 0);
  }

  /** Mean milliseconds to the heads of the latest responses; 0 before the first. */
  get latency(): number {
    return this.#cell.number(meanLatency);
  }

  /** Notes how long a response took. Two threads at once may lose one of their notes. */
  noteLatency(latency: number): void {
    const mean = this.#cell.number(meanLatency);
    if (mean === 0) this.#cell.setNumber(firstResponse, Date.now());
    this.#cell.setNumber(meanLatency, mean === 0 ? latency : mean + (latency - mean) * latencyWeight);
  }

  /** When it first responded, in milliseconds since 1970; 0 before. */
  get respondedAt(): number {
    return this.#cell.number(firstResponse);
  }

  /** Failed requests, with less than {@link recently} between them. */
  get failures(): FailureRun {
    return {
      firstAt: this.#cell.number(firstFailure),
      lastAt: this.#cell.number(lastFailure),
      count: this.#cell.get(recentFailures),
      kind: failureKinds[this.#cell.get(lastKind) - 1] ?? null,
    };
  }

  /** When a failure was last forgotten, in milliseconds since 1970; 0 before. */
  get forgottenAt(): number {
    return (this.#cell.get(forgotten) >>> 0) * 1000;
  }

  /** Notes that a request failed. Requests that succeed cost nothing. Two threads at once may lose one of their failures. */
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

  /** Counts a request in, unless there are `limit` of them already (0: no limit). */
  enter(limit: number): boolean {
    if (this.#cell.enter(inFlight) <= limit || limit === 0) {
      this.#counter?.enter();
      return true;
    }
    this.#cell.leave(inFlight);
    return false;
  }

  /** Counts a request out. */
  leave(): void {
    this.#cell.leave(inFlight);
    this.#counter?.leave();
  }

  /** Counts a response by its status; 0: there was none. `latency` is that of its head, in milliseconds. */
  count(status: number, latency: number): void {
    this.#counter?.count(status, latency);
  }

  /** Counts a request that is sent after another try has failed. */
  countRetry(): void {
    this.#counter?.retry();
  }

  /** Counts bytes of bodies. */
  countBytes(sent: number, received: number): void {
    this.#counter?.transfer(sent, received);
  }

  /** Counts a failure for a time, in milliseconds. */
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
    for (const group of this.#groups) clearTimeout(group.timer);
    for (const group of [...this.#groups]) this.#forget(group);
    this.#cell.release();
  }
}
