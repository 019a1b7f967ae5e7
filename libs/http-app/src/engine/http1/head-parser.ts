/** Reads the head of a request (RFC 9112 §3, §5, §6): request line, fields, and how the body is framed. */
import { decodeBytes } from '@sluice/registry';
import type { RequestHead } from '../../exchange/exchange.ts';
import { HeaderMap } from '../../exchange/headers.ts';
import {
  carriageReturn,
  hostByte,
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
import {
  connectionField,
  contentLengthField,
  expectField,
  hostField,
  ordinary,
  transferEncodingField,
} from './field-names.ts';
import { FieldParser, incomplete } from './field-parser.ts';
import { methodOf } from './methods.ts';
import { badRequest, malformedHost, missingHost, unknownCoding, unknownVersion, type Refusal } from './refusal.ts';
import { hasGoodEscapes, hasOnlyDots, normalPath, parseTarget } from './target.ts';

/** `Content-Length` that was not there. */
export const unknownLength = -1;

/** What the client expects before it sends the body. */
export const expectsNothing = 0;
export const expectsContinue = 1;
export const expectsOther = 2;

const versionStart = Buffer.from('HTTP/');
const protocols = Array.from({ length: 10 }, (_, minor) => `HTTP/1.${minor}`);

/** Parser of heads. It is itself the head that it read last, until the next one is begun. */
export class HeadParser extends FieldParser implements RequestHead {
  method = 'GET';
  rawPath = '/';
  query: string | null = null;
  proto = 'HTTP/1.1';
  host = '';
  headers: HeaderMap = new HeaderMap();
  /** Minor version: 0, 1 or, unheard of, more. */
  minor = 1;
  /** Bytes of the body, {@link unknownLength} if the head does not say. Not meant where {@link chunked} is set. */
  contentLength: number = unknownLength;
  chunked = false;
  /** Both framings were there: a sign of an attack, so that nothing may follow on the connection (RFC 9112 §6.1). */
  ambiguous = false;
  /** Whether the client wants the connection kept. */
  keepAlive = true;
  expects: number = expectsNothing;
  /** The connection may become something else: `Connection: upgrade`, or CONNECT. */
  upgrades = false;
  /** Names with `_` or `.` are dropped but for these. */
  keptNames: ReadonlySet<string> = new Set();

  #lineDone = false;
  /** Where the target is, from the begin of the head; `mark` is the first `?`, or -1. */
  #targetStart = 0;
  #targetMark = -1;
  #targetEnd = 0;
  /** Which classes of bytes the path has, and shifted the query. */
  #targetClasses = 0;
  /** `Connection: close` was there. */
  #closes = false;
  #hostSeen = false;
  #lastHost = '';
  /** Whether {@link host} came with the target, which goes before the field. */
  #hostFixed = false;

  /** Begins the next head. */
  next(): void {
    this.restart();
    this.#lineDone = false;
    this.#hostSeen = false;
    this.#hostFixed = false;
    this.host = '';
    this.contentLength = unknownLength;
    this.chunked = false;
    this.ambiguous = false;
    this.expects = expectsNothing;
    this.upgrades = false;
  }

  protected override scan(bytes: Buffer, base: number, end: number): number {
    let from = base + this.at;
    if (!this.#lineDone) {
      from = this.#scanRequestLine(bytes, base, end);
      if (from < 0) return from;
      this.#lineDone = true;
    }
    return this.scanLines(bytes, base, from, end);
  }

  #scanRequestLine(bytes: Buffer, base: number, end: number): number {
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
    this.#targetStart = start - base;
    this.#targetMark = mark < 0 ? -1 : mark - base;
    this.#targetEnd = i - base;
    this.#targetClasses = classes;
    return this.#scanVersion(bytes, i + 1, end);
  }

  /** `HTTP/1.1` and the end of the line. */
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
    this.minor = (bytes[start + 7] as number) - 0x30;
    this.proto = protocols[this.minor] as string;
    this.keepAlive = this.minor > 0;
    this.#closes = false;
    return feed + 1;
  }

  protected override complete(bytes: Buffer, base: number): boolean {
    const headers = new HeaderMap();
    this.headers = headers;
    const { count, lineNames, spans } = this;
    // One string for all, which the others are cut out of: a call out of JavaScript costs more than slices.
    const textEnd = count === 0 ? this.#targetEnd : (spans[2 * count - 1] as number);
    const isBare = this.#targetEnd - this.#targetStart === 1 && count === 1 && lineNames[0]?.kind === hostField;
    const text = isBare ? '' : bytes.toString('latin1', base, base + textEnd);
    if (!this.#setTarget(bytes, base, text)) return false;
    for (let i = 0; i < count; i++) {
      const field = lineNames[i] as (typeof lineNames)[number];
      if (field.kind === hostField) {
        if (!this.#setHost(bytes, base + (spans[2 * i] as number), base + (spans[2 * i + 1] as number))) return false;
        continue;
      }
      const value = this.valueOf(i, text, bytes, base);
      if (field.kind !== ordinary && !this.#setSpecial(field.kind, value)) return false;
      if (field.kind === transferEncodingField || (field.irregular && !this.keptNames.has(field.name))) continue;
      if (field.kind === contentLengthField && headers.has(field.name)) {
        if (headers.get(field.name) !== value) return this.#no(badRequest);
        continue;
      }
      headers.names.push(field.name);
      headers.values.push(value);
    }
    if (!this.#hostSeen && this.minor > 0) return this.#no(missingHost);
    if (this.chunked) this.#preferChunks();
    if (this.method === 'CONNECT') this.upgrades = true;
    if (this.keptNames.size > 0) dropTwins(headers);
    return true;
  }

  /** `text` is the head, or empty for a target of one character. */
  #setTarget(bytes: Buffer, base: number, text: string): boolean {
    const start = this.#targetStart;
    const end = this.#targetEnd;
    const classes = this.#targetClasses;
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
      if (normal === null) return this.#no(badRequest);
      this.rawPath = normal;
      return true;
    }
    const path = text.slice(start, pathEnd);
    if ((classes & targetPercent) !== 0 && !hasGoodEscapes(path)) return this.#no(badRequest);
    this.rawPath = path;
    return true;
  }

  #setOtherTarget(text: string): boolean {
    const target = parseTarget(this.method, text);
    if (target === null) return this.#no(badRequest);
    this.rawPath = target.rawPath;
    this.query = target.query;
    this.host = target.host;
    this.#hostFixed = target.host !== '';
    return true;
  }

  #setHost(bytes: Buffer, start: number, end: number): boolean {
    if (this.#hostSeen) return this.#no(badRequest);
    this.#hostSeen = true;
    const last = this.#lastHost;
    // On one connection it hardly ever changes.
    if (last.length !== end - start || !isText(last, bytes, start)) {
      for (let i = start; i < end; i++) if (hostByte[bytes[i] as number] !== 1) return this.#no(malformedHost);
      const host = bytes.toString('latin1', start, end);
      if (hasOnlyDots(host)) return this.#no(malformedHost);
      this.#lastHost = host;
    }
    if (!this.#hostFixed) this.host = this.#lastHost;
    return true;
  }

  #setSpecial(kind: number, value: string): boolean {
    switch (kind) {
      case contentLengthField:
        return this.#setContentLength(value);
      case transferEncodingField:
        return this.#setTransferEncoding(value);
      case connectionField:
        this.#setConnection(value);
        return true;
      case expectField:
        if (value !== '') this.expects = value.toLowerCase() === '100-continue' ? expectsContinue : expectsOther;
        return true;
      default:
        return true;
    }
  }

  #setContentLength(value: string): boolean {
    const length = parseLength(value);
    if (length < 0) return this.#no(badRequest);
    this.contentLength = length;
    return true;
  }

  #setTransferEncoding(value: string): boolean {
    // HTTP/1.0 has no transfer codings; whoever sends one may mean another end of the message than we do.
    if (this.minor === 0) {
      this.ambiguous = true;
      return true;
    }
    if (this.chunked || value.toLowerCase() !== 'chunked') return this.#no(unknownCoding);
    this.chunked = true;
    return true;
  }

  /** `close` holds whatever other lines say (RFC 9112 §9.3). */
  #setConnection(value: string): void {
    if (value === 'keep-alive') this.keepAlive = !this.#closes;
    else {
      for (const part of value.toLowerCase().split(',')) {
        const option = part.trim();
        if (option === 'close') this.#closes = true;
        else if (option === 'keep-alive') this.keepAlive = true;
        else if (option === 'upgrade') this.upgrades = true;
      }
      if (this.#closes) this.keepAlive = false;
    }
  }

  #preferChunks(): void {
    if (this.contentLength === unknownLength) return;
    this.ambiguous = true;
    this.contentLength = unknownLength;
    this.headers.delete('content-length');
  }

  #no(refusal: Refusal): boolean {
    this.refuse(refusal);
    return false;
  }
}

/** Classes of the query stand above those of the path. */
const queryShift = 8;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isText(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

/** The number of a Content-Length (RFC 9110 §8.6), -1 if it is none. */
function parseLength(value: string): number {
  if (value === '') return -1;
  let length = 0;
  for (let i = 0; i < value.length; i++) {
    const digit = value.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length <= Number.MAX_SAFE_INTEGER ? length : -1;
}

/** Where `x_y` was kept, its twin `x-y` is dropped: both become one name for whoever turns signs into underscores. */
function dropTwins(headers: HeaderMap): void {
  const kept = headers.names.filter((name) => name.includes('_') || name.includes('.'));
  for (const name of kept) headers.delete(name.replaceAll('_', '-').replaceAll('.', '-'));
}
