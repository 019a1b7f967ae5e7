/** Parses the request line (RFC 9112 §3): method, target and version. Head parsers extend this class. */
import { itemAt, byteAt, decodeBytes } from '@sluice/base';
import {
  carriageReturn,
  lineFeed,
  lowerNameByte,
  question,
  slash,
  space,
  targetByte,
  targetEnd,
  targetEscape,
  targetHigh,
  targetPercent,
  targetPlain,
} from './byte-classes.ts';
import { FieldParser, incomplete } from './field-parser.ts';
import { methodOf } from './methods.ts';
import { badRequest, unknownVersion, type Refusal } from './refusal.ts';
import { hasGoodEscapes, normalPath, parseTarget } from './target.ts';

const versionStart = Buffer.from('HTTP/');
const protocols = Array.from({ length: 10 }, (_, minor) => `HTTP/1.${minor}`);

/** Shift for the byte classes of the query. They share one number with the byte classes of the path. */
const queryShift = 8;

/** Parser that holds the result of the last request line. */
export abstract class RequestLineParser extends FieldParser {
  method = 'GET';
  rawPath = '/';
  query: string | null = null;
  /** Request target as sent; `null` if {@link rawPath} and {@link query} represent it exactly. */
  target: string | null = null;
  proto = 'HTTP/1.1';
  host = '';
  /** HTTP minor version: 0, 1 or higher. */
  minor = 1;
  /** True if {@link host} comes from the request target, which takes precedence over the `Host` field. */
  protected hostFixed = false;
  /** Start offset of the request target, relative to the start of the head. */
  protected targetStart = 0;
  protected targetEnd = 0;
  /** Position of the first `?` in the request target; -1 if there is none. */
  #targetMark = -1;
  /** Byte classes that occur in the path. Those that occur in the query are shifted by {@link queryShift}. */
  #targetClasses = 0;

  /** Scans the request line at `base`. {@link setTarget} parses the target later. Returns the same results as `feed`. */
  protected scanRequestLine(bytes: Buffer, base: number, end: number): number {
    let i = base;
    while (i < end && lowerNameByte[bytes[i] as number] !== 0) i++;
    if (i === end) return incomplete;
    if (bytes[i] !== space || i === base) return this.refuse(badRequest);
    this.method = methodOf(bytes, base, i);
    const start = ++i;
    let mark = -1;
    let classes = 0;
    for (; i < end; i++) {
      const kind = targetByte[bytes[i] as number] as number;
      if (kind === targetPlain) {
        if (bytes[i] === question && mark < 0) mark = i;
      } else if (kind === targetEnd) break;
      else classes |= mark < 0 ? kind : kind << queryShift;
    }
    if (i === end) return incomplete;
    if (bytes[i] !== space || i === start) return this.refuse(badRequest);
    this.targetStart = start - base;
    this.#targetMark = mark < 0 ? -1 : mark - base;
    this.targetEnd = i - base;
    this.#targetClasses = classes;
    return this.#scanVersion(bytes, i + 1, end);
  }

  #scanVersion(bytes: Buffer, start: number, end: number): number {
    for (let k = 0; k < 5; k++) {
      if (start + k === end) return incomplete;
      if (bytes[start + k] !== versionStart[k]) return this.refuse(badRequest);
    }
    const left = end - start;
    if (
      (left > 5 && !isDigit(bytes[start + 5])) ||
      (left > 6 && bytes[start + 6] !== 0x2e) ||
      (left > 7 && !isDigit(bytes[start + 7]))
    ) {
      return this.refuse(badRequest);
    }
    if (left < 9) return incomplete;
    const feed = bytes[start + 8] === carriageReturn ? start + 9 : start + 8;
    if (feed === end) return incomplete;
    if (bytes[feed] !== lineFeed) return this.refuse(badRequest);
    if (bytes[start + 5] !== 0x31) return this.refuse(unknownVersion);
    this.minor = byteAt(bytes, start + 7) - 0x30;
    this.proto = itemAt(protocols, this.minor);
    return feed + 1;
  }

  /** Parses the request target. `text` contains the head, but is empty if the target has only one character. */
  protected setTarget(bytes: Buffer, base: number, text: string): boolean {
    const start = this.targetStart;
    const end = this.targetEnd;
    const classes = this.#targetClasses;
    this.target = null;
    if (bytes[base + start] !== slash)
      return this.#setOtherTarget(decodeBytes(bytes.subarray(base + start, base + end)));
    this.query = null;
    this.rawPath = '/';
    if (end - start === 1) return true;
    const mark = this.#targetMark;
    if (mark >= 0) {
      const isHigh = ((classes >>> queryShift) & targetHigh) !== 0;
      this.query = isHigh ? decodeBytes(bytes.subarray(base + mark + 1, base + end)) : text.slice(mark + 1, end);
    }
    const pathEnd = mark < 0 ? end : mark;
    if ((classes & (targetEscape | targetHigh)) !== 0) {
      const normal = normalPath(decodeBytes(bytes.subarray(base + start, base + pathEnd)));
      if (normal === null) return this.no(badRequest);
      this.rawPath = normal;
      this.target = decodeBytes(bytes.subarray(base + start, base + end));
      return true;
    }
    const path = text.slice(start, pathEnd);
    if ((classes & targetPercent) !== 0 && !hasGoodEscapes(path)) return this.no(badRequest);
    this.rawPath = path;
    return true;
  }

  #setOtherTarget(text: string): boolean {
    const target = parseTarget(this.method, text);
    if (target === null) return this.no(badRequest);
    this.rawPath = target.rawPath;
    this.query = target.query;
    this.target = text;
    this.host = target.host;
    this.hostFixed = target.host !== '';
    return true;
  }

  /** Rejects the head with `refusal`. Always returns false. */
  protected no(refusal: Refusal): boolean {
    this.refuse(refusal);
    return false;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
