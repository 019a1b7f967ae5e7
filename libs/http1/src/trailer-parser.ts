/** Reads the trailer section of a chunked body (RFC 9112 §7.1.2). */
import { HeaderMap } from './header-map.ts';
import { ordinary, type FieldName } from './field-names.ts';
import { FieldParser } from './field-parser.ts';

/** Fields that say how to read or route the message come too late in a trailer (RFC 9110 §6.5.1). */
export const notInTrailers: ReadonlySet<string> = new Set([
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

/** Most bytes of a trailer section. */
const maxTrailerBytes = 16 * 1024;

/** Parser of trailers. */
export class TrailerParser extends FieldParser {
  /** What was read; `null` if there was no field. */
  trailers: HeaderMap | null = null;

  /** Names with `_` or `.` are dropped but for these, as in heads; `null`: none is dropped. */
  readonly #keptNames: ReadonlySet<string> | null;

  constructor(keptNames: ReadonlySet<string> | null) {
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
    if (trailers.size > 0) this.trailers = trailers;
    return true;
  }
}
