/** The fields of a request as they come from a block (RFC 9113 §8.3.1), or those after its body. */
import { HeaderMap } from '@sluice/http1';
import type { FieldSink } from './hpack/decoder.ts';
import { fieldKind } from './hpack/field-name.ts';

/** What one list of fields may be. */
export interface FieldLimits {
  /** Bytes as lists count them (RFC 9113 §6.5.2). */
  readonly bytes: number;
  /** Number of fields. */
  readonly count: number;
  /** Lower-case names with `_` or `.` that are kept; all others with such signs are dropped. */
  readonly kept: { has(name: string): boolean };
}

const slash = 0x2f;

/** Collects the fields of one block. */
export class RequestFields implements FieldSink {
  method = '';
  scheme = '';
  path = '';
  authority: string | null = null;
  /** Of an extended CONNECT (RFC 8441). */
  protocol: string | null = null;
  /** The field `host`, which is not among the headers. */
  host = '';
  /** Of `content-length`; -1 if it was not said. */
  contentLength = -1;
  /** Of `priority` (RFC 9218 §5); '' if it was not said. */
  priority = '';
  readonly headers: HeaderMap = new HeaderMap();
  /** Whether the request breaks the rules of RFC 9113 §8.2 or §8.3: an error of its stream. */
  malformed = false;
  /** Whether the list is longer than allowed. What came after is not kept. */
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
        // A message has one host, whichever field says it (RFC 9110 §7.2).
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

  /** Whether all is there that a request needs. */
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

/** A number of at most 15 digits; -1 for anything else. */
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
