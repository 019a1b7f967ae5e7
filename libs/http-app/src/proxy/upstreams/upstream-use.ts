/** Use of an address by one proxy: its requests from all threads. */
import { readOnlyCell, type SharedCell } from '@sluice/threads';
import type { UpstreamUser } from './upstream-user.ts';

const inFlight = 0;
const sent = 2;
/** Indexes of the numbers in the shared cell, in milliseconds since 1970. */
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

  /** Returns a read-only copy for dry runs. */
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

  /** Time when the proxy began to use the address, in milliseconds since 1970. */
  get knownAt(): number {
    return this.#cell.number(known);
  }

  /** Time when passive health checks last found the upstream unhealthy; 0 if never. */
  get failedAt(): number {
    return this.#cell.number(failed);
  }

  /** Records that passive health checks found the upstream unhealthy. */
  noteFailed(): void {
    this.#cell.setNumber(failed, Date.now());
  }

  /** Counts a request. */
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
