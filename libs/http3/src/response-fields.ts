/** Response fields (RFC 9114 §4.3.2) and trailers, collected from a field section. */
import { HeaderMap } from '@sluice/http1';
import { fieldKind, type FieldSink } from '@sluice/http2';
import type { SectionFields } from './message-reader.ts';

export interface ResponseLimits {
  /** Maximum total field size in bytes, as defined in RFC 9114 §4.2.2. */
  readonly bytes: number;
  readonly count: number;
}

export class ResponseFields implements FieldSink, SectionFields {
  /** Response status code; 0 if missing. */
  status = 0;
  readonly headers: HeaderMap = new HeaderMap();
  malformed = false;
  tooLarge = false;
  readonly #limits: ResponseLimits;
  readonly #trailers: boolean;
  /** True if the response has no body because the request method was HEAD. */
  readonly #bodiless: boolean;
  #declared = -1;
  #bytes = 0;
  #count = 0;
  #regular = false;

  constructor(limits: ResponseLimits, { trailers, bodiless }: { trailers: boolean; bodiless: boolean }) {
    this.#limits = limits;
    this.#trailers = trailers;
    this.#bodiless = bodiless;
  }

  /** Length of the body; -1 if unknown. A response without a body may still declare a length (RFC 9110 §8.6). */
  get contentLength(): number {
    return this.#bodiless || this.status === 204 || this.status === 304 ? 0 : this.#declared;
  }

  get isInterim(): boolean {
    return this.status >= 100 && this.status < 200;
  }

  /** True if the section is a valid response head. Status 101 doesn't exist in HTTP/3 (RFC 9114 §4.5). */
  get complete(): boolean {
    return !this.malformed && !this.tooLarge && this.status >= 100 && this.status !== 101;
  }

  field(name: string, value: string, kind: number, size: number): void {
    this.#bytes += size;
    if (this.#bytes > this.#limits.bytes || ++this.#count > this.#limits.count) {
      this.tooLarge = true;
      return;
    }
    if (kind >= fieldKind.method && kind <= fieldKind.status) {
      if (kind !== fieldKind.status || this.#regular || this.#trailers || this.status !== 0) this.malformed = true;
      this.status = /^[1-9]\d\d$/.test(value) ? Number(value) : 0;
      return;
    }
    this.#regular = true;
    if (kind === fieldKind.malformed) this.malformed = true;
    else if (kind === fieldKind.contentLength) this.#length(value);
    if (!this.malformed) this.headers.append(name, value);
  }

  #length(value: string): void {
    if (this.#declared >= 0 || !/^\d{1,15}$/.test(value)) this.malformed = true;
    this.#declared = Number(value);
  }
}
