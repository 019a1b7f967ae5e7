/** A field block that comes in several frames (RFC 9113 §4.3). */
import type { Frame } from './frame-reader.ts';

/** Most frames after the first one: more only serve to keep the connection busy. */
const maxContinuations = 100;

/** Collects the pieces of one block. */
export class HeaderBlock {
  readonly stream: number;
  /** Flags of the first frame. */
  readonly flags: number;
  readonly #pieces: Buffer[] = [];
  readonly #most: number;
  #size = 0;

  /** `most` bytes are taken. */
  constructor(stream: number, flags: number, most: number) {
    this.stream = stream;
    this.flags = flags;
    this.#most = most;
  }

  /** Adds what lies in a frame, from `at` to `end`. False: it is too much. */
  add({ bytes }: Frame, at: number, end: number): boolean {
    this.#size += end - at;
    if (this.#size > this.#most || this.#pieces.length > maxContinuations) return false;
    this.#pieces.push(Buffer.from(bytes.subarray(at, end)));
    return true;
  }

  /** The whole block. */
  join(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
