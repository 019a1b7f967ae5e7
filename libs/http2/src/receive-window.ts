/** What a client may still send of all bodies of a connection (RFC 9113 §5.2). */
import { frameType } from './frame.ts';
import type { Outbound } from './outbound.ts';

/** The window of a connection towards us. */
export class ReceiveWindow {
  readonly #outbound: Outbound;
  readonly #size: number;
  #left: number;
  /** Given back, and not told to the client yet. */
  #unannounced = 0;

  /** `size` in bytes. */
  constructor(outbound: Outbound, size: number) {
    this.#outbound = outbound;
    this.#size = size;
    this.#left = size;
  }

  /** So many bytes have come. False: more than was allowed. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** So many bytes were used, or will never be. */
  credit(bytes: number): void {
    this.#unannounced += bytes;
    if (this.#unannounced < this.#size / 8) return;
    this.#left += this.#unannounced;
    this.#outbound.control(4, frameType.windowUpdate, 0, 0).uint32(this.#unannounced);
    this.#unannounced = 0;
  }
}
