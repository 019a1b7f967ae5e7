/** Splits the bytes of a stream into HTTP/3 frames (RFC 9114 §7.1). The input may arrive in pieces of any size. */
import { byteAt } from '@sluice/base';

/** Receiver of HTTP/3 frames. An exception is treated as a connection error. */
export interface FrameTaker {
  /**
   * Called at the start of a frame. `length` is the payload length and `head` the size of the frame header, in bytes. Returns how to
   * process the payload; see {@link take}.
   */
  onFrame(type: number, length: number, head: number): number;
  /** Called for each piece of a payload that is processed piece by piece. */
  onPiece(bytes: Buffer): void;
  /** Called with a complete payload. The callee owns the buffer. */
  onPayload(type: number, payload: Buffer): void;
}

/** Ways to process a frame payload: collect it, process it in pieces, or skip it. */
export const take = { collect: 0, pieces: 1, skip: 2 } as const;

/** Reader states: reading an integer of the frame header, or reading the payload. */
const reading = { type: 0, length: 1, payload: 2 } as const;

export class FrameReader {
  readonly #taker: FrameTaker;
  #reading: number = reading.type;
  /** Number of bytes that are still missing from a header integer, and the integer's value so far. */
  #missing = 0;
  #value = 0;
  /** Number of bytes of the frame header so far. The peer may use longer encodings than necessary. */
  #head = 0;
  #type = 0;
  #left = 0;
  #how: number = take.skip;
  #collected: Buffer = nothing;
  /** Number of bytes in the current input that have not been passed to the receiver yet. */
  rest = 0;
  #filled = 0;

  constructor(taker: FrameTaker) {
    this.#taker = taker;
  }

  /** True if the stream may end here, because all frames so far are complete. */
  get betweenFrames(): boolean {
    return this.#reading === reading.type && this.#missing === 0;
  }

  /** Reads `bytes` from `at` to the end, or until `stop` returns true after a frame. Returns the offset after the processed bytes. */
  read(bytes: Buffer, at: number, stop: () => boolean): number {
    let i = at;
    while (i < bytes.length) {
      if (this.#reading === reading.payload) i = this.#payload(bytes, i);
      else if (this.#integer(byteAt(bytes, i++))) this.#integerRead();
      if (stop()) return i;
    }
    return i;
  }

  /** Consumes one byte of an integer. Returns true when the integer is complete. */
  #integer(byte: number): boolean {
    this.#head++;
    if (this.#missing === 0) {
      this.#missing = (1 << (byte >> 6)) - 1;
      this.#value = byte & 0x3f;
      return this.#missing === 0;
    }
    this.#value = this.#value * 256 + byte;
    this.#missing -= 1;
    return this.#missing === 0;
  }

  #integerRead(): void {
    if (this.#reading === reading.type) {
      this.#type = this.#value;
      this.#reading = reading.length;
      return;
    }
    this.#left = this.#value;
    this.#how = this.#taker.onFrame(this.#type, this.#left, this.#head);
    this.#head = 0;
    this.#reading = reading.payload;
    if (this.#how === take.collect) {
      this.#collected = this.#left > 0 ? Buffer.allocUnsafe(this.#left) : nothing;
      this.#filled = 0;
    }
    if (this.#left === 0) this.#end();
  }

  #payload(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.rest = bytes.length - end;
    this.#left -= end - at;
    if (this.#how === take.pieces) this.#taker.onPiece(bytes.subarray(at, end));
    else if (this.#how === take.collect) this.#filled += bytes.copy(this.#collected, this.#filled, at, end);
    if (this.#left === 0) this.#end();
    return end;
  }

  #end(): void {
    this.#reading = reading.type;
    if (this.#how !== take.collect) return;
    const payload = this.#collected;
    this.#collected = nothing;
    this.#taker.onPayload(this.#type, payload);
  }
}

const nothing: Buffer = Buffer.alloc(0);
