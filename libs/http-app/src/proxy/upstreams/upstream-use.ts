/** Use of one address by one proxy: requests from all threads, regardless of other users of the address. */
import { readOnlyCell, type SharedCell } from '@sluice/threads';
import type { UpstreamUser } from './upstream-user.ts';

/** Cell counters. Only counters 0 and 1 are undone when a thread dies. */
const inFlight = 0;
const sent = 2;
/** Indexes of the cell's numbers, in milliseconds since 1970. */
const known = 0;
const failed = 1;

/** Use of an address by a proxy. */
export class UpstreamUse {
  readonly user: UpstreamUser;
  readonly #cell: SharedCell;

  constructor(cell: SharedCell, user: UpstreamUser) {
    this.#cell = cell;
    this.user = user;
    if (cell.number(known) === 0) cell.setNumber(known, Date.now());
  }

  /** Returns a copy for dry runs of requests, which is readable but counts nothing. */
  readOnly(): UpstreamUse {
    return new UpstreamUse(readOnlyCell(this.#cell), this.user);
  }

  get requests(): number {
    return this.#cell.get(inFlight);
  }

  /** Total requests; wraps around after 2³². */
  get total(): number {
    return this.#cell.get(sent) >>> 0;
  }

  /** Time at which the proxy began to use the address. */
  get knownAt(): number {
    return this.#cell.number(known);
  }

  /** Time at which passive health checks last found the upstream unhealthy; 0 before. */
  get failedAt(): number {
    return this.#cell.number(failed);
  }

  /** Records that passive health checks found the upstream unhealthy. */
  noteFailed(): void {
    this.#cell.setNumber(failed, Date.now());
  }

  /** A request is sent. */
  enter(): void {
    this.#cell.enter(inFlight);
    this.#cell.add(sent, 1);
  }

  /** Counts the end of a request. */
  leave(): void {
    this.#cell.leave(inFlight);
  }

  /** Releases the counters. */
  close(): void {
    this.#cell.release();
  }
}
