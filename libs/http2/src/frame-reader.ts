/** Splits the bytes of a connection into frames. Only frames that arrive in pieces are copied. */
import { byteAt } from '@sluice/base';
import { errorCode } from './error-code.ts';
import { defaultFrameSize, frameHeaderSize } from './frame.ts';

/** HTTP/2 client connection preface (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** An HTTP/2 frame. The payload is overwritten after the callback returns. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Buffer that contains the payload, from {@link at} to {@link end}. */
  readonly bytes: Buffer;
  readonly at: number;
  readonly end: number;
}

/** Receives frames. */
export interface FrameTaker {
  /** Handles a frame. Returns false to stop reading, because the connection has ended. */
  frame(frame: Frame): boolean;
  /** Called if the input is not HTTP/2 or a frame exceeds the advertised maximum size. `code` is the connection error code. */
  unreadable(code: number): void;
}

/** Frame object reused for all frames of a thread. Each frame is handled before the next one is read. */
class CurrentFrame implements Frame {
  type = 0;
  flags = 0;
  stream = 0;
  bytes: Buffer = preface;
  at = 0;
  end = 0;
}

const current = new CurrentFrame();

/** Buffer for the next frame that arrives in pieces. During an upload, most reads end in the middle of a frame. */
let spare: Buffer | null = null;

/** Reads the frames of one HTTP/2 connection. */
export class FrameReader {
  readonly #taker: FrameTaker;
  #prefaceLeft: number;
  /** Beginning of an incomplete frame. */
  #rest: Buffer | null = null;
  #restLength = 0;
  #over = false;

  /** `expectsPreface` is true on the server side of a connection. */
  constructor(taker: FrameTaker, expectsPreface: boolean) {
    this.#taker = taker;
    this.#prefaceLeft = expectsPreface ? preface.length : 0;
  }

  /** True if the last frame is incomplete. */
  get pending(): boolean {
    return this.#restLength > 0;
  }

  /** Processes `bytes[0..end)`. */
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
      this.#taker.unreadable(errorCode.protocolError);
      return end;
    }
    return at;
  }

  /** Processes complete frames. Returns the start offset of the incomplete frame. */
  #frames(bytes: Buffer, from: number, end: number): number {
    let at = from;
    while (end - at >= frameHeaderSize) {
      const next = this.#endOf(bytes, at);
      if (next < 0) return end;
      if (next > end) return at;
      current.type = byteAt(bytes, at + 3);
      current.flags = byteAt(bytes, at + 4);
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

  /** Returns the end offset of the frame whose header starts at `at`. Returns -1 if the frame exceeds the size limit. */
  #endOf(bytes: Buffer, at: number): number {
    const length = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    if (length <= defaultFrameSize) return at + frameHeaderSize + length;
    this.#over = true;
    this.#taker.unreadable(errorCode.frameSizeError);
    return -1;
  }

  #keep(bytes: Buffer, at: number, end: number): void {
    this.#rest ??= spare ?? Buffer.allocUnsafeSlow(frameHeaderSize + defaultFrameSize);
    spare = null;
    bytes.copy(this.#rest, 0, at, end);
    this.#restLength = end - at;
  }

  /** Completes the incomplete frame. Returns the offset after it. */
  #complete(bytes: Buffer, from: number, end: number): number {
    const rest = this.#rest as Buffer;
    let at = from;
    while (this.#restLength < frameHeaderSize && at < end) rest[this.#restLength++] = byteAt(bytes, at++);
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
    ((byteAt(bytes, at) & 0x7f) << 24) |
    (byteAt(bytes, at + 1) << 16) |
    (byteAt(bytes, at + 2) << 8) |
    byteAt(bytes, at + 3)
  );
}
