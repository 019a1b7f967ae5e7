/** Request fields (RFC 9113 §8.3.1) and trailers, collected from a field block. */
import { HeaderMap } from '@sluice/http1';
import type { FieldSink } from './hpack/decoder.ts';
import { fieldKind } from './hpack/field-name.ts';

export interface FieldLimits {
  /** Maximum total field size in bytes, as defined in RFC 9113 §6.5.2. */
  readonly bytes: number;
  readonly count: number;
  /** Lowercase names with `_` or `.` to keep. Other names with these characters are dropped. */
  readonly kept: { has(name: string): boolean };
}

const slash = 0x2f;

export class RequestFields implements FieldSink {
  method = '';
  scheme = '';
  path = '';
  authority: string | null = null;
  /** Value of `:protocol` in an extended CONNECT request (RFC 8441). */
  protocol: string | null = null;
  /** Value of the `host` field, which is not in the header map. */
  host = '';
  /** Value of the `content-length` field; -1 if absent. */
  contentLength = -1;
  /** Value of the `priority` field (RFC 9218 §5); empty if absent. */
  priority = '';
  readonly headers: HeaderMap = new HeaderMap();
  /** True if the request violates RFC 9113 §8.2 or §8.3, which is a stream error. */
  malformed = false;
  /** True if the field list exceeds the limits. Further fields are discarded. */
  tooLarge = false;
  readonly #limits: FieldLimits;
  readonly #trailers: boolean;
  #bytes = 0;
  #count = 0;
  #regular = false;

  constructor(limits: FieldLimits, trailers: boolean) {
    this.#limits = limits;
    this.#trailers = trailers;
  }

  field(name: string, value: string, kind: number, size: number): void {
    this.#bytes += size;
    if (this.#bytes > this.#limits.bytes || ++this.#count > this.#limits.count) {
      this.tooLarge = true;
      return;
    }
    if (kind >= fieldKind.method && kind <= fieldKind.status) {
      if (this.#regular || this.#trailers) this.malformed = true;
      this.#pseudo(value, kind);
      return;
    }
    this.#regular = true;
    switch (kind) {
      case fieldKind.plain:
        break;
      case fieldKind.irregular:
        if (!this.#limits.kept.has(name)) return;
        break;
      case fieldKind.cookie:
        if (this.#joinCookie(value)) return;
        break;
      case fieldKind.host:
        // `:authority` and `host` must agree (RFC 9110 §7.2).
        if (this.host !== '' && this.host !== value) this.malformed = true;
        this.host = value;
        return;
      case fieldKind.contentLength:
        this.#length(value);
        break;
      case fieldKind.te:
        if (value !== 'trailers') this.malformed = true;
        break;
      case fieldKind.priority:
        this.priority = value;
        break;
      default:
        this.malformed = true;
        return;
    }
    this.headers.append(name, value);
  }

  get complete(): boolean {
    if (this.malformed || this.method === '') return false;
    if (this.method === 'CONNECT' && this.protocol === null)
      return this.scheme === '' && this.path === '' && this.authority !== null;
    if (this.protocol !== null && this.method !== 'CONNECT') return false;
    return this.scheme !== '' && this.path !== '';
  }

  #pseudo(value: string, kind: number): void {
    switch (kind) {
      case fieldKind.method:
        if (this.method !== '' || value === '') this.malformed = true;
        this.method = value;
        break;
      case fieldKind.scheme:
        if (this.scheme !== '' || value === '') this.malformed = true;
        this.scheme = value;
        break;
      case fieldKind.path:
        if (this.path !== '' || (value.charCodeAt(0) !== slash && value !== '*')) this.malformed = true;
        this.path = value;
        break;
      case fieldKind.authority:
        if (this.authority !== null) this.malformed = true;
        this.authority = value;
        break;
      case fieldKind.protocol:
        if (this.protocol !== null) this.malformed = true;
        this.protocol = value;
        break;
      default:
        this.malformed = true;
    }
  }

  #length(value: string): void {
    const length = digits(value);
    if (length < 0 || this.contentLength >= 0) this.malformed = true;
    this.contentLength = length;
  }

  #joinCookie(value: string): boolean {
    const before = this.headers.get('cookie');
    if (before === undefined) return false;
    this.headers.set('cookie', `${before}; ${value}`);
    return true;
  }
}

/** Parses a number of at most 15 digits. Returns -1 for other strings. */
function digits(text: string): number {
  if (text.length === 0 || text.length > 15) return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
