/** Takes the chunked transfer coding (RFC 9112 §7.1) off a body, as its bytes come. */
import type { HeaderMap } from './header-map.ts';
import { carriageReturn, hexByte, lineFeed, space, tab } from './byte-classes.ts';
import { incomplete, refused } from './field-parser.ts';
import type { KeptNames } from './kept-names.ts';
import { TrailerParser } from './trailer-parser.ts';

/** What comes next. */
const sizeStart = 0;
const size = 1;
const sizeSpace = 2;
const extension = 3;
const sizeLineFeed = 4;
const content = 5;
const contentReturn = 6;
const contentLineFeed = 7;
const trailer = 8;
const done = 9;
const broken = 10;

/** Bytes of the extensions of one chunk, as in the reference: they mean nothing to any recipient. */
const maxExtension = 4096;
/** Bytes of all extensions of a body beyond those of its content. */
const maxExtensions = 16 * 1024;
/** Content up to this size is moved byte by byte: a call out of JavaScript costs more. */
const maxStepped = 32;
/** Hexadecimal digits of a size that still is an exact number. */
const maxSizeDigits = 13;

/** Decoder of one body. */
export class ChunkDecoder {
  /** The content that the last {@link next} found, as offsets into its bytes; equal for none. */
  start = 0;
  end = 0;
  #state = sizeStart;
  #left = 0;
  #digits = 0;
  #extension = 0;
  /** Bytes of extensions less those of content. */
  #excess = 0;
  #trailer: TrailerParser | null = null;
  readonly #keptNames: KeptNames | null;

  /** `keptNames`: the only names with `_` or `.` that trailers may have; `null` for any. */
  constructor(keptNames: KeptNames | null) {
    this.#keptNames = keptNames;
  }

  /** Whether the body and its trailers are complete. */
  get done(): boolean {
    return this.#state === done;
  }

  /** Whether the bytes cannot be a chunked body. */
  get broken(): boolean {
    return this.#state === broken;
  }

  /** Trailer fields; `null` if there were none. */
  get trailers(): HeaderMap | null {
    return this.#trailer?.trailers ?? null;
  }

  /**
   * Goes on in `bytes[from..to)`, to the end of the body or of the bytes. All content in there becomes one piece, moved
   * together where it lies: chunks of one byte each must not cost their receivers a call and a write each.
   */
  next(bytes: Buffer, from: number, to: number): number {
    let i = from;
    this.start = this.end = from;
    while (i < to) {
      if (this.#state === content) {
        i = this.#takeContent(bytes, i, to);
        continue;
      }
      if (this.#state === contentReturn && i + 1 < to && bytes[i] === carriageReturn && bytes[i + 1] === lineFeed) {
        this.#state = sizeStart;
        i += 2;
        continue;
      }
      if (this.#state === sizeStart && i + 2 < to && bytes[i + 1] === carriageReturn && bytes[i + 2] === lineFeed) {
        // A size of one digit: many small chunks are all that could make this loop slow.
        const digit = hexByte[bytes[i] as number] as number;
        if (digit > 0 && digit < 16) {
          this.#left = digit;
          this.#state = content;
          i += 3;
          continue;
        }
      }
      if (this.#state === trailer) return this.#takeTrailer(bytes, i, to);
      if (this.#state >= done) return i;
      this.#step(bytes[i++] as number);
    }
    return i;
  }

  #takeContent(bytes: Buffer, from: number, to: number): number {
    const after = Math.min(to, from + this.#left);
    const size = after - from;
    if (this.end === this.start) {
      this.start = from;
      this.end = after;
    } else {
      if (size > maxStepped) bytes.copyWithin(this.end, from, after);
      else for (let k = 0; k < size; k++) bytes[this.end + k] = bytes[from + k] as number;
      this.end += size;
    }
    this.#left -= size;
    this.#excess -= size;
    if (this.#left === 0) this.#state = contentReturn;
    return after;
  }

  #takeTrailer(bytes: Buffer, from: number, to: number): number {
    this.#trailer ??= new TrailerParser(this.#keptNames);
    const end = this.#trailer.feed(bytes, from, to);
    if (end === incomplete) return to;
    this.#state = end === refused ? broken : done;
    return end === refused ? from : end;
  }

  /** One byte of the framing. Line ends are CRLF and nothing else: here a doubt is an attack. */
  #step(byte: number): void {
    switch (this.#state) {
      case sizeStart:
        this.#left = hexByte[byte] as number;
        this.#digits = 1;
        this.#extension = 0;
        this.#state = this.#left === 255 ? broken : size;
        break;
      case size:
        this.#stepSize(byte);
        break;
      case sizeSpace:
        if (byte !== space && byte !== tab) this.#stepSizeEnd(byte, false);
        break;
      case extension:
        if (byte === carriageReturn) this.#state = sizeLineFeed;
        else if (byte === lineFeed || ++this.#extension > maxExtension || ++this.#excess > maxExtensions)
          this.#state = broken;
        break;
      case sizeLineFeed:
        this.#state = byte !== lineFeed ? broken : this.#left === 0 ? trailer : content;
        break;
      case contentReturn:
        this.#state = byte === carriageReturn ? contentLineFeed : broken;
        break;
      case contentLineFeed:
        this.#state = byte === lineFeed ? sizeStart : broken;
        break;
      default:
        this.#state = broken;
    }
  }

  #stepSize(byte: number): void {
    const digit = hexByte[byte] as number;
    if (digit === 255) {
      this.#stepSizeEnd(byte, true);
      return;
    }
    // Leading zeros count: an endless row of them is not a size either.
    if (++this.#digits > 16) this.#state = broken;
    this.#left = this.#left * 16 + digit;
    if (this.#left >= 16 ** maxSizeDigits) this.#state = broken;
  }

  #stepSizeEnd(byte: number, spaceAllowed: boolean): void {
    if (byte === carriageReturn) this.#state = sizeLineFeed;
    else if (byte === 0x3b && spaceAllowed) this.#state = extension;
    else this.#state = spaceAllowed && (byte === space || byte === tab) ? sizeSpace : broken;
  }
}
