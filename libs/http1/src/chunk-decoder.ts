/** Decodes the chunked transfer coding (RFC 9112 §7.1) as bytes arrive. */
import { byteAt } from '@sluice/base';
import type { HeaderMap } from './header-map.ts';
import { carriageReturn, hexByte, lineFeed, space, tab } from './byte-classes.ts';
import { incomplete, refused } from './field-parser.ts';
import type { KeptNames } from './kept-names.ts';
import { TrailerParser } from './trailer-parser.ts';

/** Parser states. Each state is named after the next expected element. */
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

/** Maximum size of the extensions of one chunk, in bytes, as in Caddy. The decoder ignores extensions. */
const maxExtension = 4096;
/** Maximum total size of chunk extensions minus the total size of the content, in bytes. */
const maxExtensions = 16 * 1024;
/** Maximum content size that is copied in a loop, in bytes. For larger content, a native call is faster. */
const maxStepped = 32;
/** Maximum number of hexadecimal digits in a chunk size. JavaScript represents all sizes up to this length exactly. */
const maxSizeDigits = 13;

/** Decodes one body. */
export class ChunkDecoder {
  /** Range of the content found by the last {@link next} call, as offsets in the buffer. Empty if both offsets are equal. */
  start = 0;
  end = 0;
  #state = sizeStart;
  #left = 0;
  #digits = 0;
  #extension = 0;
  /** Total size of chunk extensions minus the total size of the content, in bytes. */
  #excess = 0;
  #trailer: TrailerParser | null = null;
  readonly #keptNames: KeptNames | null;

  /** `keptNames` lists names of trailers that are kept even though they contain `_` or `.`. `null` keeps all trailers. */
  constructor(keptNames: KeptNames | null) {
    this.#keptNames = keptNames;
  }

  get done(): boolean {
    return this.#state === done;
  }

  /** True if the input is not a valid chunked body. */
  get broken(): boolean {
    return this.#state === broken;
  }

  /** Trailer fields; `null` if there are none. */
  get trailers(): HeaderMap | null {
    return this.#trailer?.trailers ?? null;
  }

  /**
   * Decodes `bytes[from..to)` up to the end of the body or the buffer. Moves the content of all chunks in place into one contiguous range.
   * This saves receivers from processing every small chunk separately.
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
        // Fast path for one-digit sizes, because parsing byte by byte is slow for many small chunks.
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
      this.#step(byteAt(bytes, i++));
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

  /**
   * Consumes one byte of framing. Lines must end with CRLF, because accepting other line endings would allow request
   * smuggling.
   */
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
    // Count leading zeros too, so that an endless sequence of zeros is rejected.
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
