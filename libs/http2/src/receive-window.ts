/** Connection-level flow control for request bodies (RFC 9113 §5.2). */
import { frameType } from './frame.ts';
import type { Outbound } from './outbound.ts';

export class ReceiveWindow {
  readonly #outbound: Outbound;
  readonly #size: number;
  #left: number;
  /** Number of consumed bytes for which no window update has been sent to the client yet. */
  #unadvertised = 0;

  /** `size` is the window size in bytes. */
  constructor(outbound: Outbound, size: number) {
    this.#outbound = outbound;
    this.#size = size;
    this.#left = size;
  }

  /** Counts received bytes. Returns false if they exceed the window. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Returns consumed or discarded bytes to the window. */
  credit(bytes: number): void {
    this.#unadvertised += bytes;
    if (this.#unadvertised < this.#size / 8) return;
    this.#left += this.#unadvertised;
    this.#outbound.control(4, frameType.windowUpdate, 0, 0).uint32(this.#unadvertised);
    this.#unadvertised = 0;
  }
}
