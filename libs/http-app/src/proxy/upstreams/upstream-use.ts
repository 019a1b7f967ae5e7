/** One proxy's use of an upstream address. Counts requests from all threads. */
import { readOnlyCell, type SharedCell } from '@sluice/threads';
import type { UpstreamUser } from './upstream-user.ts';

const inFlight = 0;
const sent = 2;
/** Indexes of numbers in the shared memory cell. Times are in milliseconds since 1970. */
const known = 0;
const failed = 1;

export class UpstreamUse {
  readonly user: UpstreamUser;
  readonly #cell: SharedCell;

  constructor(cell: SharedCell, user: UpstreamUser) {
    this.#cell = cell;
    this.user = user;
    if (cell.number(known) === 0) cell.setNumber(known, Date.now());
  }

  /** Returns a read-only copy of the counters for dry runs. */
  readOnly(): UpstreamUse {
    return new UpstreamUse(readOnlyCell(this.#cell), this.user);
  }

  get requests(): number {
    return this.#cell.get(inFlight);
  }

  /** Total number of requests; wraps around at 2³². */
  get total(): number {
    return this.#cell.get(sent) >>> 0;
  }

  /** Time when the proxy started using the address, in milliseconds since 1970. */
  get knownAt(): number {
    return this.#cell.number(known);
  }

  /** Time when passive health checks last marked the upstream unhealthy, in milliseconds since 1970; 0 if never. */
  get failedAt(): number {
    return this.#cell.number(failed);
  }

  /** Records that passive health checks marked the upstream unhealthy. */
  noteFailed(): void {
    this.#cell.setNumber(failed, Date.now());
  }

  /** Counts a request. */
  enter(): void {
    this.#cell.enter(inFlight);
    this.#cell.add(sent, 1);
  }

  /** Counts a completed request. */
  leave(): void {
    this.#cell.leave(inFlight);
  }

  /** Releases the counters. */
  close(): void {
    this.#cell.release();
  }
}
