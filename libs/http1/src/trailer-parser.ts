/** Parses the trailer section of a chunked body (RFC 9112 §7.1.2). */
import { itemAt, numberAt, listedTokens } from '@sluice/base';
import { HeaderMap } from './header-map.ts';
import { ordinary } from './field-names.ts';
import { FieldParser } from './field-parser.ts';
import type { KeptNames } from './kept-names.ts';

/** Fields that are not allowed in trailers because they affect parsing or routing (RFC 9110 §6.5.1). */
const notInTrailers: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Returns the request trailers to forward, which are those that the head's `Trailer` field announced. Proxies and handlers have already
 * processed the head, so a trailer must not change the client's identity. Returns `null` if no trailers remain.
 */
export function passingTrailers(trailers: HeaderMap | null, announced: string | undefined): HeaderMap | null {
  if (trailers === null || announced === undefined) return null;
  const names = listedTokens(announced);
  trailers.deleteWhere((name) => !names.includes(name) || notInTrailers.has(name) || ofRequest.test(name));
  return trailers.size > 0 ? trailers : null;
}

/** Request fields that route, authenticate or modify a request (RFC 9110 §6.5.1). */
const ofRequest =
  /^(?:x-forwarded-.*|x-real-ip|forwarded|via|cookie|proxy-.*|keep-alive|if-.*|range|cache-control|max-forwards)$/;

/** Maximum size of a trailer section, in bytes. */
const maxTrailerBytes = 16 * 1024;

export class TrailerParser extends FieldParser {
  /** Parsed trailers; `null` if there are none. */
  trailers: HeaderMap | null = null;

  /** Names with `_` or `.` to keep. Other names with these characters are dropped. `null` keeps all names. */
  readonly #keptNames: KeptNames | null;

  constructor(keptNames: KeptNames | null) {
    super(maxTrailerBytes);
    this.#keptNames = keptNames;
  }

  protected override scan(bytes: Buffer, base: number, end: number): number {
    return this.scanLines(bytes, base, base + this.at, end);
  }

  protected override complete(bytes: Buffer, base: number): boolean {
    const { count } = this;
    if (count === 0) return true;
    const text = bytes.toString('latin1', base, base + numberAt(this.spans, 2 * count - 1));
    const trailers = new HeaderMap();
    for (let i = 0; i < count; i++) {
      const { name, kind, irregular } = itemAt(this.lineNames, i);
      if (irregular && this.#keptNames !== null && !this.#keptNames.has(name)) continue;
      if (kind === ordinary && !notInTrailers.has(name)) trailers.append(name, this.valueOf(i, text, bytes, base));
    }
    this.#keptNames?.sift(trailers);
    if (trailers.size > 0) this.trailers = trailers;
    return true;
  }
}
