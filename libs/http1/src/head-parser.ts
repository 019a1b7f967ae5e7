/** Parses request heads: the fields after the request line (RFC 9112 §5) and the framing of the body (§6). */
import { isSameToken, listedTokens, numberAt } from '@sluice/base';
import type { RequestHead } from './request-head.ts';
import { HeaderMap } from './header-map.ts';
import { noKeptNames, type KeptNames } from './kept-names.ts';
import { hostByte } from './byte-classes.ts';
import { connectionField, contentLengthField, hostField, ordinary, transferEncodingField } from './field-names.ts';
import { badRequest, malformedHost, missingHost, unknownCoding } from './refusal.ts';
import type { SectionFields } from './line-memory.ts';
import { recentHost } from './recent-hosts.ts';
import { RequestLineParser } from './request-line-parser.ts';
import { hasOnlyDots } from './target.ts';

/** Content length if no `Content-Length` field was present. */
const unknownLength = -1;

/** Kinds of `Expect` values. They describe what the client expects before it sends the body. */
export const expectsNothing = 0;
export const expectsContinue = 1;
export const expectsOther = 2;

/** Parses request heads. Holds the last parsed head until the next head begins. */
export class HeadParser extends RequestLineParser implements RequestHead {
  headers: HeaderMap = new HeaderMap();
  /** Body length in bytes, or {@link unknownLength} if not declared. Has no meaning if {@link chunked} is true. */
  contentLength: number = unknownLength;
  chunked = false;
  /**
   * True if both `Content-Length` and `Transfer-Encoding` were present, which indicates request smuggling. The connection must close after
   * the response (RFC 9112 §6.1).
   */
  ambiguous = false;
  /** True if the client requests a persistent connection. */
  keepAlive = true;
  expects: number = expectsNothing;
  /** True if the connection may switch protocols because of `Connection: upgrade` or CONNECT. */
  upgrades = false;
  /** Names with `_` or `.` to keep. Other field names with these characters are dropped. */
  keptNames: KeptNames = noKeptNames;

  #lineDone = false;
  /** True if `Connection: close` was present. */
  #closes = false;
  #hostSeen = false;
  #expectSeen = false;
  #lastHost = '';

  /** Resets the parser for the next head. */
  next(): void {
    this.restart();
    this.#lineDone = false;
    this.#hostSeen = this.#expectSeen = false;
    this.hostFixed = false;
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
      from = this.scanRequestLine(bytes, base, end);
      if (from < 0) return from;
      this.#lineDone = true;
      this.keepAlive = this.minor > 0;
      this.#closes = false;
    }
    return this.scanLines(bytes, base, from, end);
  }

  protected override complete(bytes: Buffer, base: number): boolean {
    const headers = new HeaderMap();
    this.headers = headers;
    const { count, lineNames, spans } = this;
    // Slice all values from one string, because a native call per value is slower.
    const textEnd = this.fresh === 0 ? this.targetEnd : numberAt(spans, 2 * count - 1);
    const isBare =
      this.targetEnd - this.targetStart === 1 &&
      (this.fresh === 0 || (count === 1 && lineNames[0]?.kind === hostField));
    const text = isBare ? '' : bytes.toString('latin1', base, base + textEnd);
    if (!this.setTarget(bytes, base, text)) return false;
    let saysMore = false;
    for (let i = 0; i < count; i++) {
      const field = lineNames[i] as (typeof lineNames)[number];
      if (field.kind === hostField) {
        if (!this.#setHost(bytes, base + (spans[2 * i] as number), base + (spans[2 * i + 1] as number))) return false;
        continue;
      }
      const value = this.valueOf(i, text, bytes, base);
      if (field.kind !== ordinary && !this.#setSpecial(field.kind, value)) return false;
      saysMore ||=
        field.irregular || (field.kind !== ordinary && (field.kind !== connectionField || value !== 'keep-alive'));
      if (field.kind === transferEncodingField || (field.irregular && !this.keptNames.has(field.name))) continue;
      if (field.kind === contentLengthField && headers.has(field.name)) {
        if (headers.get(field.name) !== value) return this.no(badRequest);
        continue;
      }
      headers.names.push(field.name);
      headers.values.push(value);
    }
    if (!this.#hostSeen && this.minor > 0) return this.no(missingHost);
    if (this.chunked) this.#preferChunks();
    if (this.method === 'CONNECT') this.upgrades = true;
    if (this.keptNames.size > 0) this.keptNames.sift(headers);
    if (!saysMore && this.keptNames.size === 0 && this.wantsSum && this.#hostSeen)
      this.sumUp(headers.names, headers.values, this.#lastHost);
    return true;
  }

  protected override repeatSection(bytes: Buffer, start: number, end: number): number {
    // Don't use the cached section for HTTP/1.0, which handles `Connection: keep-alive` differently, or if kept names filter the fields.
    return this.minor > 0 && this.keptNames.size === 0 ? super.repeatSection(bytes, start, end) : 0;
  }

  protected override completeAgain(bytes: Buffer, base: number, { names, values, host }: SectionFields): boolean {
    this.headers = new HeaderMap(names.slice(), values.slice());
    const isBare = this.targetEnd - this.targetStart === 1;
    if (!this.setTarget(bytes, base, isBare ? '' : bytes.toString('latin1', base, base + this.targetEnd))) return false;
    if (!this.hostFixed) this.host = host;
    if (this.method === 'CONNECT') this.upgrades = true;
    return true;
  }

  #setHost(bytes: Buffer, start: number, end: number): boolean {
    if (this.#hostSeen) return this.no(badRequest);
    this.#hostSeen = true;
    const last = this.#lastHost;
    // Reuse the previous host string, because the host rarely changes within a connection.
    if (last.length !== end - start || !isText(last, bytes, start)) {
      for (let i = start; i < end; i++) if (hostByte[bytes[i] as number] !== 1) return this.no(malformedHost);
      const host = bytes.toString('latin1', start, end);
      if (hasOnlyDots(host)) return this.no(malformedHost);
      this.#lastHost = recentHost(host);
    }
    if (!this.hostFixed) this.host = this.#lastHost;
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
      default:
        this.#setExpect(value);
        return true;
    }
  }

  /** Sets the expectation from the first `Expect` field, as in Caddy. */
  #setExpect(value: string): void {
    if (this.#expectSeen) return;
    this.#expectSeen = true;
    if (value !== '') this.expects = isContinueExpected(value) ? expectsContinue : expectsOther;
  }

  #setContentLength(value: string): boolean {
    const length = parseLength(value);
    if (length < 0) return this.no(badRequest);
    this.contentLength = length;
    return true;
  }

  #setTransferEncoding(value: string): boolean {
    // HTTP/1.0 has no transfer codings, so sender and recipient might disagree about the end of the message (RFC 9112 §6.1). The
    // `Transfer-Encoding` field is ignored, and the connection is closed after the response.
    if (this.minor === 0) {
      this.ambiguous = true;
      return true;
    }
    if (this.chunked || !isSameToken(value, 'chunked')) return this.no(unknownCoding);
    this.chunked = true;
    return true;
  }

  /** Parses the `Connection` field. `close` takes precedence over other options (RFC 9112 §9.3). */
  #setConnection(value: string): void {
    if (value === 'keep-alive') this.keepAlive = !this.#closes;
    else {
      for (const option of listedTokens(value)) {
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
}

function isText(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

/** Reports whether an `Expect` value contains `100-continue`. Items may also be separated by spaces, as in Caddy. */
function isContinueExpected(value: string): boolean {
  return isSameToken(value, '100-continue') || listedTokens(value.replaceAll(/[ \t]/g, ',')).includes('100-continue');
}

/** Parses a `Content-Length` value (RFC 9110 §8.6). Returns -1 if it is not a number. */
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
