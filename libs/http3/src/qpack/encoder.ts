/**
 * Encodes QPACK field sections (RFC 9204 §4.5). Each connection has one encoder. Servers repeat the same fields, so a field that is sent
 * twice with the same value is added to the dynamic table. Entries are used only after the peer has acknowledged them, so streams never
 * block.
 */
import { numberAt, itemAt } from '@sluice/base';
import { h3Error, Http3Error } from '../error-code.ts';
import { PrefixReader } from './integer-reader.ts';
import { staticIndexOf, staticNames } from './static-table.ts';

/** Maximum dynamic table size in bytes, even if the peer allows more. */
const maxCapacity = 4096;
const overhead = 32;
/** Maximum number of names per connection. `maxValues` is the maximum number of values per name. */
const maxNames = 64;
const maxValues = 4;

/** Fields whose values rarely repeat. They are not added to the table. */
const unique: ReadonlySet<string> = new Set([
  'content-length',
  'content-range',
  'etag',
  'last-modified',
  'location',
  'date',
]);
/** Sensitive fields, which must never be indexed (RFC 9204 §7.1). */
const secret: ReadonlySet<string> = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

interface Known {
  /** Absolute index of the table entry; -1 if the value has been sent only once. */
  index: number;
}

export class QpackEncoder {
  /** Bytes of the instructions to send on the encoder stream. */
  #instructions: number[] = [];
  #capacity = 0;
  #maxEntries = 0;
  #size = 0;
  /** Sizes of the table entries, oldest first. The first entry has the absolute index {@link #dropped}. */
  readonly #sizes: number[] = [];
  #dropped = 0;
  /** Number of entries that the peer has acknowledged. */
  #confirmed = 0;
  readonly #values = new Map<string, Map<string, Known>>();
  /** Table references of unacknowledged sections, keyed by stream. Referenced entries are not evicted. */
  readonly #sections = new Map<number, { readonly required: number; readonly oldest: number }[]>();
  readonly #reader = new PrefixReader();
  #partial: Buffer = nothing;
  #out: Buffer = Buffer.allocUnsafe(1024);
  #at = 0;

  get inserted(): number {
    return this.#dropped + this.#sizes.length;
  }

  /** Sets the dynamic table capacity that the peer allows. */
  offer(capacity: number): void {
    if (capacity === 0) return;
    this.#maxEntries = Math.floor(capacity / overhead);
    this.#capacity = Math.min(capacity, maxCapacity);
    this.#instruct(0x20, 0x1f, this.#capacity);
  }

  /** Returns and clears the instructions that must be sent before the next section. */
  takeInstructions(): Buffer {
    if (this.#instructions.length === 0) return nothing;
    const bytes = Buffer.from(this.#instructions);
    this.#instructions = [];
    return bytes;
  }

  /** Encodes a field section for a stream. `fields` alternates lowercase names and Latin-1 values. The result is valid until the next call. */
  encode(stream: number, fields: readonly string[]): Buffer {
    let size = 32;
    for (const text of fields) size += text.length + 8;
    if (this.#out.length < size) this.#out = Buffer.allocUnsafe(2 * size);
    // Reserve 20 bytes for the section prefix, which is written after the fields.
    this.#at = prefixRoom;
    let required = 0;
    let oldest = Number.POSITIVE_INFINITY;
    // Only acknowledged entries are referenced, so the base is known before encoding.
    const base = this.#confirmed;
    for (let i = 0; i < fields.length; i += 2) {
      const index = this.#field(itemAt(fields, i), itemAt(fields, i + 1), base);
      if (index < 0) continue;
      required = Math.max(required, index + 1);
      oldest = Math.min(oldest, index);
    }
    const end = this.#at;
    this.#at = 0;
    if (required === 0) {
      this.#integer(0, 0xff, 0);
      this.#integer(0, 0x7f, 0);
    } else {
      this.#integer(0, 0xff, (required % (2 * this.#maxEntries)) + 1);
      this.#integer(0, 0x7f, base - required);
      const sections = this.#sections.get(stream);
      if (sections === undefined) this.#sections.set(stream, [{ required, oldest }]);
      else sections.push({ required, oldest });
    }
    const start = prefixRoom - this.#at;
    this.#out.copyWithin(start, 0, this.#at);
    return this.#out.subarray(start, end);
  }

  /** Encodes a field line. Returns the absolute index of the table entry that the line references, or -1 if it references none. */
  #field(name: string, value: string, base: number): number {
    const fixed = staticIndexOf(name, value);
    if (fixed >= 0) {
      this.#integer(0xc0, 0x3f, fixed);
      return -1;
    }
    if (secret.has(name)) {
      this.#literal(name, value, true);
      return -1;
    }
    const known = this.#capacity > 0 && !unique.has(name) ? this.#learn(name, value) : null;
    if (known === null || known.index < this.#dropped || known.index >= base) {
      this.#literal(name, value, false);
      return -1;
    }
    this.#integer(0x80, 0x3f, base - known.index - 1);
    return known.index;
  }

  /** Records a value. Inserts it into the dynamic table if it is repeated. */
  #learn(name: string, value: string): Known | null {
    let values = this.#values.get(name);
    if (values === undefined) {
      if (this.#values.size >= maxNames) return null;
      values = new Map();
      this.#values.set(name, values);
    }
    const known = values.get(value);
    if (known === undefined) {
      if (values.size >= maxValues) values.delete(values.keys().next().value as string);
      values.set(value, { index: -1 });
      return null;
    }
    if (known.index < this.#dropped) this.#insert(name, value, known);
    return known;
  }

  #insert(name: string, value: string, known: Known): void {
    const size = name.length + value.length + overhead;
    if (size > this.#capacity / 2 || !this.#evict(size)) return;
    const fixed = staticNames.get(name);
    if (fixed === undefined) {
      this.#instruct(0x40, 0x1f, name.length);
      this.#instructText(name);
    } else this.#instruct(0xc0, 0x3f, fixed);
    this.#instruct(0, 0x7f, value.length);
    this.#instructText(value);
    known.index = this.inserted;
    this.#sizes.push(size);
    this.#size += size;
  }

  /** Evicts table entries to free `room` bytes. Returns false if an entry is still referenced or unacknowledged. */
  #evict(room: number): boolean {
    let freed = 0;
    let count = 0;
    let inUse = this.#confirmed;
    for (const sections of this.#sections.values()) for (const { oldest } of sections) inUse = Math.min(inUse, oldest);
    while (this.#size - freed + room > this.#capacity) {
      if (this.#dropped + count >= inUse) return false;
      freed += numberAt(this.#sizes, count++);
    }
    this.#sizes.splice(0, count);
    this.#dropped += count;
    this.#size -= freed;
    return true;
  }

  /** Processes bytes from the peer's decoder stream (RFC 9204 §4.4). */
  feedback(bytes: Buffer): void {
    const all = this.#partial.length === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const reader = this.#reader.reset(all, 0, all.length);
    let at = 0;
    while (at < all.length) {
      const first = reader.peek();
      const value = reader.integer((first & 0x80) !== 0 ? 0x7f : 0x3f);
      if (reader.invalid) throw decoderError('malformed instruction');
      if (reader.truncated) break;
      if ((first & 0x80) !== 0) this.#acknowledged(value);
      else if ((first & 0x40) !== 0) this.#sections.delete(value);
      else this.#confirm(value);
      at = reader.at;
    }
    this.#partial = at < all.length ? Buffer.from(all.subarray(at)) : nothing;
  }

  #acknowledged(stream: number): void {
    const sections = this.#sections.get(stream);
    const first = sections?.shift();
    if (first === undefined) throw decoderError('acknowledgment for a section without dynamic references');
    if (sections?.length === 0) this.#sections.delete(stream);
    this.#confirmed = Math.max(this.#confirmed, first.required);
  }

  #confirm(count: number): void {
    if (count === 0 || this.#confirmed + count > this.inserted)
      throw decoderError('more insertions acknowledged than sent');
    this.#confirmed += count;
  }

  #literal(name: string, value: string, never: boolean): void {
    const fixed = staticNames.get(name);
    if (fixed !== undefined) this.#integer(never ? 0x70 : 0x50, 0x0f, fixed);
    else {
      this.#integer(never ? 0x30 : 0x20, 0x07, name.length);
      this.#at += this.#out.write(name, this.#at, 'latin1');
    }
    this.#integer(0, 0x7f, value.length);
    this.#at += this.#out.write(value, this.#at, 'latin1');
  }

  #integer(pattern: number, mask: number, value: number): void {
    const out = this.#out;
    if (value < mask) {
      out[this.#at++] = pattern | value;
      return;
    }
    out[this.#at++] = pattern | mask;
    let rest = value - mask;
    while (rest >= 0x80) {
      out[this.#at++] = 0x80 | (rest & 0x7f);
      rest = Math.floor(rest / 128);
    }
    out[this.#at++] = rest;
  }

  #instruct(pattern: number, mask: number, value: number): void {
    const out = this.#instructions;
    if (value < mask) {
      out.push(pattern | value);
      return;
    }
    out.push(pattern | mask);
    let rest = value - mask;
    while (rest >= 0x80) {
      out.push(0x80 | (rest & 0x7f));
      rest = Math.floor(rest / 128);
    }
    out.push(rest);
  }

  #instructText(text: string): void {
    for (let i = 0; i < text.length; i++) this.#instructions.push(text.charCodeAt(i) & 0xff);
  }
}

/** Maximum size of a field section prefix, in bytes. */
const prefixRoom = 20;
const nothing = Buffer.alloc(0);

function decoderError(reason: string): Http3Error {
  return new Http3Error(h3Error.qpackDecoderStreamError, reason);
}
