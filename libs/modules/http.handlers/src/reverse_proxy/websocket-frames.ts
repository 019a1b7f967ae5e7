/** Finds the boundaries between WebSocket frames in relayed data. A Close frame can then be inserted between two frames (RFC 6455 §5.2). */
import { byteAt } from '@sluice/base';

const closeOpcode = 8;

/** Tracks the WebSocket frames of one direction. */
export class FrameBoundaries {
  /** Number of bytes of the frame header received so far. The second byte determines the length of the header. */
  #headed = 0;
  #headLength = 2;
  /** Number of bytes of the extended payload length, most significant byte first. */
  #extended = 0;
  #length = 0;
  /** Number of payload bytes remaining in the frame. */
  #left = 0;
  #opcode = 0;
  #closing = false;

  /** True if the position is between two frames. */
  get between(): boolean {
    return this.#headed === 0 && this.#left === 0;
  }

  /** True after a complete Close frame (RFC 6455 §5.5.1). */
  get closed(): boolean {
    return this.#closing && this.between;
  }

  /** Scans `bytes[at..end)` and returns the new position. If `stops` is true, scans only to the end of the current frame. */
  pass(bytes: Buffer, at: number, end: number, stops: boolean): number {
    let i = at;
    while (i < end) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, end - i);
        this.#left -= skipped;
        i += skipped;
      } else this.#head(byteAt(bytes, i++));
      if (stops && this.between) break;
    }
    return i;
  }

  #head(byte: number): void {
    const at = this.#headed++;
    if (at === 0) this.#opcode = byte & 0x0f;
    else if (at === 1) {
      this.#length = byte & 0x7f;
      this.#extended = this.#length === 127 ? 8 : this.#length === 126 ? 2 : 0;
      if (this.#extended > 0) this.#length = 0;
      this.#headLength = 2 + this.#extended + (byte > 0x7f ? 4 : 0);
    } else if (at > 1 && at < 2 + this.#extended) this.#length = this.#length * 256 + byte;
    if (this.#headed < 2 || this.#headed < this.#headLength) return;
    this.#left = this.#length;
    this.#headed = 0;
    if (this.#opcode === closeOpcode) this.#closing = true;
  }
}

/** Close frame with status 1001, "going away" (RFC 6455 §7.4.1). Frames from a client must be masked, and an all-zero mask is valid (§5.3). */
export const closeToClient: Buffer = Buffer.from([0x88, 2, 0x03, 0xe9]);
export const closeToUpstream: Buffer = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]);
