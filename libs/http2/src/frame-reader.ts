/** Cuts the bytes of a connection into frames, where they lie: only a frame that comes in pieces is copied. */
import { defaultFrameSize, frameHeaderSize } from './frame.ts';

/** What every client sends first (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** A frame; its payload is overwritten when whoever takes it returns. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Holds the payload, from {@link at} to {@link end}. */
  readonly bytes: Buffer;
  readonly at: number;
  readonly end: number;
}

/** Takes frames. */
export interface FrameTaker {
  /** A frame. False: no more of them, the connection has ended. */
  frame(frame: Frame): boolean;
  /** The first bytes are not those of HTTP/2. */
  wrongPreface(): void;
  /** A frame is larger than was announced (RFC 9113 §4.2). */
  frameTooLarge(): void;
}

/** The same object for all frames of a thread: each is dealt with before the next one. */
class CurrentFrame implements Frame {
  type = 0;
  flags = 0;
  stream = 0;
  bytes: Buffer = preface;
  at = 0;
  end = 0;
}

const current = new CurrentFrame();

/** A buffer for the next frame that comes in pieces: uploads have one in each read. */
let spare: Buffer | null = null;

/** Reader of one connection. */
export class FrameReader {
  readonly #taker: FrameTaker;
  #prefaceLeft: number;
  /** The beginning of a frame that is not complete. */
  #rest: Buffer | null = null;
  #restLength = 0;
  #over = false;

  /** `expectsPreface` for servers. */
  constructor(taker: FrameTaker, expectsPreface: boolean) {
    this.#taker = taker;
    this.#prefaceLeft = expectsPreface ? preface.length : 0;
  }

  /** Whether a frame has begun that is not complete. */
  get pending(): boolean {
    return this.#restLength > 0;
  }

  /** Takes `bytes[from..end)`. */
  read(bytes: Buffer, end: number): void {
    let at = this.#prefaceLeft > 0 ? this.#readPreface(bytes, end) : 0;
    if (this.#restLength > 0) at = this.#complete(bytes, at, end);
    if (at < end && !this.#over) at = this.#frames(bytes, at, end);
    if (at < end && !this.#over) this.#keep(bytes, at, end);
  }

  #readPreface(bytes: Buffer, end: number): number {
    let at = 0;
    while (this.#prefaceLeft > 0 && at < end) {
      if (bytes[at++] === preface[preface.length - this.#prefaceLeft]) {
        this.#prefaceLeft--;
        continue;
      }
      this.#over = true;
      this.#taker.wrongPreface();
      return end;
    }
    return at;
  }

  /** Frames that are complete. Gives the beginning of the one that is not. */
  #frames(bytes: Buffer, from: number, end: number): number {
    let at = from;
    while (end - at >= frameHeaderSize) {
      const next = this.#endOf(bytes, at);
      if (next < 0) return end;
      if (next > end) return at;
      current.type = bytes[at + 3] as number;
      current.flags = bytes[at + 4] as number;
      current.stream = streamOf(bytes, at + 5);
      current.bytes = bytes;
      current.at = at + frameHeaderSize;
      current.end = next;
      if (!this.#taker.frame(current)) {
        this.#over = true;
        return end;
      }
      at = next;
    }
    return at;
  }

  /** The position after the frame whose header is at `at`; -1 for one that is too large. */
  #endOf(bytes: Buffer, at: number): number {
    const length = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    if (length <= defaultFrameSize) return at + frameHeaderSize + length;
    this.#over = true;
    this.#taker.frameTooLarge();
    return -1;
  }

  #keep(bytes: Buffer, at: number, end: number): void {
    this.#rest ??= spare ?? Buffer.allocUnsafeSlow(frameHeaderSize + defaultFrameSize);
    spare = null;
    bytes.copy(this.#rest, 0, at, end);
    this.#restLength = end - at;
  }

  /** Adds what is missing of the frame that has begun. Gives the position after it. */
  #complete(bytes: Buffer, from: number, end: number): number {
    const rest = this.#rest as Buffer;
    let at = from;
    while (this.#restLength < frameHeaderSize && at < end) rest[this.#restLength++] = bytes[at++] as number;
    if (this.#restLength < frameHeaderSize) return at;
    const whole = this.#endOf(rest, 0);
    if (whole < 0) return end;
    const missing = Math.min(whole - this.#restLength, end - at);
    bytes.copy(rest, this.#restLength, at, at + missing);
    this.#restLength += missing;
    at += missing;
    if (this.#restLength < whole) return at;
    this.#restLength = 0;
    this.#frames(rest, 0, whole);
    this.#rest = null;
    spare = rest;
    return at;
  }
}

function streamOf(bytes: Buffer, at: number): number {
  return (
    (((bytes[at] as number) & 0x7f) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
