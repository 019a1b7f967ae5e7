/** Assembles field blocks from HEADERS and CONTINUATION frames (RFC 9113 §4.3, §6.2, §6.10). */
import { byteAt } from '@sluice/base';
import { errorCode } from './error-code.ts';
import type { Frame } from './frame-reader.ts';
import { frameFlag, largestWindow, readUint32 } from './frame.ts';

/** Maximum number of CONTINUATION frames per field block. */
const maxContinuations = 100;

/** Result after the last frame of a field block. */
export const whole = -1;
/** Result while more frames of a field block are expected. */
export const partial = -2;

/** Current field block of one connection. Methods return {@link whole}, {@link partial} or an error code. */
export class FieldBlocks {
  stream = 0;
  /** Flags of the HEADERS frame that started the block. */
  flags = 0;
  /** Buffer that contains the field block, from `at` to `end`. */
  bytes: Buffer = nothing;
  at = 0;
  end = 0;
  /** Fragments of an incomplete field block; `null` if no block is incomplete. */
  #pieces: Buffer[] | null = null;
  #size = 0;

  /** True if a field block is incomplete, so only CONTINUATION frames are allowed. */
  get pending(): boolean {
    return this.#pieces !== null;
  }

  /** Handles a HEADERS frame. A fragmented field block may have at most `max` bytes. */
  headers(frame: Frame, max: number): number {
    const { stream, flags, bytes } = frame;
    let { at, end } = frame;
    if ((stream & 1) === 0) return errorCode.protocolError;
    if ((flags & frameFlag.padded) !== 0) {
      if (end === at) return errorCode.frameSizeError;
      end -= byteAt(bytes, at++);
      if (end < at) return errorCode.protocolError;
    }
    if ((flags & frameFlag.priority) !== 0) {
      if (end - at < 5) return errorCode.frameSizeError;
      if ((readUint32(bytes, at) & largestWindow) === stream) return errorCode.protocolError;
      at += 5;
    }
    this.stream = stream;
    this.flags = flags;
    if ((flags & frameFlag.endHeaders) === 0) {
      this.#pieces = [];
      this.#size = 0;
      return this.#add(bytes.subarray(at, end), max);
    }
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    return whole;
  }

  continuation({ bytes, at, end, flags }: Frame, max: number): number {
    const pieces = this.#pieces;
    if (pieces === null) return errorCode.protocolError;
    const added = this.#add(bytes.subarray(at, end), max);
    if (added !== partial || (flags & frameFlag.endHeaders) === 0) return added;
    this.#pieces = null;
    this.bytes = Buffer.concat(pieces);
    this.at = 0;
    this.end = this.bytes.length;
    return whole;
  }

  #add(piece: Buffer, max: number): number {
    const pieces = this.#pieces as Buffer[];
    this.#size += piece.length;
    if (this.#size > max || pieces.length > maxContinuations) return errorCode.enhanceYourCalm;
    pieces.push(Buffer.from(piece));
    return partial;
  }
}

const nothing: Buffer = Buffer.alloc(0);
