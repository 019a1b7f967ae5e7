/** Reads the trailer section of a chunked body (RFC 9112 §7.1.2). */
import { listedTokens } from '@sluice/base';
import { HeaderMap } from './header-map.ts';
import { ordinary, type FieldName } from './field-names.ts';
import { FieldParser } from './field-parser.ts';
import type { KeptNames } from './kept-names.ts';

/** Fields that say how to read or route the message come too late in a trailer (RFC 9110 §6.5.1). */
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
 * The trailers of a request that pass: those that its head announces in Trailer, `announced`. Proxies and handlers have
 * decided by the head when trailers come, so that none may say who the client is. `null` if none passes.
 */
export function passingTrailers(trailers: HeaderMap | null, announced: string | undefined): HeaderMap | null {
  if (trailers === null || announced === undefined) return null;
  const names = listedTokens(announced);
  trailers.deleteWhere((name) => !names.includes(name) || notInTrailers.has(name) || ofRequest.test(name));
  return trailers.size > 0 ? trailers : null;
}

/** Fields that route, authenticate or change a request (RFC 9110 §6.5.1). */
const ofRequest =
  /^(?:x-forwarded-.*|x-real-ip|forwarded|via|cookie|proxy-.*|keep-alive|if-.*|range|cache-control|max-forwards)$/;

/** Most bytes of a trailer section. */
const maxTrailerBytes = 16 * 1024;

/** Parser of trailers. */
export class TrailerParser extends FieldParser {
  /** What was read; `null` if there was no field. */
  trailers: HeaderMap | null = null;

  /** Names with `_` or `.` are dropped but for these, as in heads; `null`: none is dropped. */
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
    const text = bytes.toString('latin1', base, base + (this.spans[2 * count - 1] as number));
    const trailers = new HeaderMap();
    for (let i = 0; i < count; i++) {
      const { name, kind, irregular } = this.lineNames[i] as FieldName;
      if (irregular && this.#keptNames !== null && !this.#keptNames.has(name)) continue;
      if (kind === ordinary && !notInTrailers.has(name)) trailers.append(name, this.valueOf(i, text, bytes, base));
    }
    this.#keptNames?.sift(trailers);
    if (trailers.size > 0) this.trailers = trailers;
    return true;
  }
}
