/**
 * Finds WebSocket frame boundaries in tunneled data, so that a Close frame can be inserted between frames (RFC 6455
 * §5.2).
 */
import { byteAt } from '@sluice/base';

const closeOpcode = 8;

/** Tracks the frames of one direction. */
export class FrameBoundaries {
  /** Number of header bytes received so far. The second byte determines the header length. */
  #headed = 0;
  #headLength = 2;
  /** Bytes of the payload length, most significant first. */
  #extended = 0;
  #length = 0;
  /** Remaining bytes of the payload. */
  #left = 0;
  #opcode = 0;
  #closing = false;

  /** True between two frames. */
  get between(): boolean {
    return this.#headed === 0 && this.#left === 0;
  }

  /** True once a complete Close frame has passed (RFC 6455, section 5.5.1). */
  get closed(): boolean {
    return this.#closing && this.between;
  }

  /** Scans `bytes[at..end)`; if `stops`, only to the end of the current frame. Returns the new position. */
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

/** Close frame with status 1001, "going away" (§7.4.1). Client frames must be masked; zeros are a valid mask (§5.3). */
export const closeToClient: Buffer = Buffer.from([0x88, 2, 0x03, 0xe9]);
export const closeToUpstream: Buffer = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]);
