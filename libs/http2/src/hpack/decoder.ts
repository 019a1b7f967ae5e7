/** Decodes HPACK field blocks (RFC 7541 §3, §6). Each connection has one decoder. Its dynamic table mirrors the peer's table. */
import { fromLatin1, byteAt, itemAt } from '@sluice/base';
import { fieldKind, fieldName, isFieldValue, type FieldName } from './field-name.ts';
import { decodeHuffman } from './huffman.ts';
import { staticNames, staticSize, staticValues } from './static-table.ts';

/** Receives the fields of a field block, in order. */
export interface FieldSink {
  /** Receives one field. `kind` is a `fieldKind`, and `size` is the field size as defined in RFC 9113 §6.5.2. */
  field(name: string, value: string, kind: number, size: number): void;
}

/** Default size of the HPACK dynamic table, in bytes (RFC 9113 §6.5.2). */
const tableLimit = 4096;
/** Overhead per table entry in bytes (RFC 7541 §4.1). This is also the minimum entry size. */
const overhead = 32;
const slots = tableLimit / overhead;
const lastSlot = slots - 1;
const maxInteger = 28;

interface Entry {
  readonly name: FieldName;
  readonly value: string;
  /** Kind of the field name, or `malformed` if the value is invalid. */
  readonly kind: number;
  readonly size: number;
}

const staticEntries: readonly Entry[] = staticNames.map((name, index): Entry => {
  const value = itemAt(staticValues, index);
  const known = fieldName(name);
  return { name: known, value, kind: known.kind, size: name.length + value.length + overhead };
});

export class HpackDecoder {
  readonly #ring = Array.from<Entry | null>({ length: slots }).fill(null);
  /** Number of entries inserted so far. It determines the slot of the next entry. */
  #inserted = 0;
  #count = 0;
  #size = 0;
  #limit = tableLimit;
  /** Buffer that contains the current field block. */
  #bytes: Buffer = nothing;
  #at = 0;
  #end = 0;

  /**
   * Decodes the field block in `bytes[from..end)`. Returns false if the block is invalid. In that case, the connection must end, because
   * the dynamic tables are out of sync.
   */
  decode(bytes: Buffer, from: number, end: number, sink: FieldSink): boolean {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
    const whole = this.#updateSize() && this.#fields(sink);
    this.#bytes = nothing;
    return whole;
  }

  /** Handles table size updates at the start of a block (RFC 7541 §4.2). */
  #updateSize(): boolean {
    while (this.#at < this.#end && (byteAt(this.#bytes, this.#at) & 0xe0) === 0x20) {
      const size = this.#integer(0x1f);
      if (size < 0 || size > tableLimit) return false;
      this.#limit = size;
      this.#evict(0);
    }
    return true;
  }

  #fields(sink: FieldSink): boolean {
    while (this.#at < this.#end) {
      const first = byteAt(this.#bytes, this.#at);
      let entry: Entry | null;
      if ((first & 0x80) !== 0) entry = this.#entryAt(this.#integer(0x7f));
      else if ((first & 0x40) !== 0) {
        entry = this.#literal(0x3f);
        if (entry !== null) this.#insert(entry);
      } else entry = (first & 0x20) === 0 ? this.#literal(0x0f) : null;
      if (entry === null) return false;
      sink.field(entry.name.name, entry.value, entry.kind, entry.size);
    }
    return true;
  }

  #entryAt(index: number): Entry | null {
    if (index <= staticSize) return index > 0 ? itemAt(staticEntries, index) : null;
    const age = index - staticSize;
    return age <= this.#count ? (this.#ring[(this.#inserted - age) & lastSlot] ?? null) : null;
  }

  #literal(mask: number): Entry | null {
    const index = this.#integer(mask);
    if (index < 0) return null;
    const name = index === 0 ? this.#name() : (this.#entryAt(index)?.name ?? null);
    if (name === null) return null;
    const text = this.#text();
    if (text === null) return null;
    const kind = isFieldValue(text) ? name.kind : fieldKind.malformed;
    return { name, value: fromLatin1(text), kind, size: name.name.length + text.length + overhead };
  }

  #name(): FieldName | null {
    const text = this.#text();
    return text === null ? null : fieldName(text);
  }

  /** Decodes an integer (RFC 7541 §5.1). Returns -1 if it is truncated or too large. */
  #integer(mask: number): number {
    const bytes = this.#bytes;
    let value = byteAt(bytes, this.#at++) & mask;
    if (value < mask) return value;
    for (let shift = 0; shift < maxInteger && this.#at < this.#end; shift += 7) {
      const byte = byteAt(bytes, this.#at++);
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  /** Decodes a string (RFC 7541 §5.2) as Latin-1. Returns `null` if it is truncated or invalid. */
  #text(): string | null {
    if (this.#at >= this.#end) return null;
    const bytes = this.#bytes;
    const isCoded = (byteAt(bytes, this.#at) & 0x80) !== 0;
    const length = this.#integer(0x7f);
    const from = this.#at;
    if (length < 0 || length > this.#end - from) return null;
    this.#at = from + length;
    return isCoded ? decodeHuffman(bytes, from, from + length) : bytes.toString('latin1', from, from + length);
  }

  #insert(entry: Entry): void {
    this.#evict(entry.size);
    // Inserting an entry that is larger than the table only empties the table (RFC 7541 §4.4).
    if (entry.size > this.#limit) return;
    this.#ring[this.#inserted++ & lastSlot] = entry;
    this.#count++;
    this.#size += entry.size;
  }

  #evict(room: number): void {
    while (this.#count > 0 && this.#size + room > this.#limit) {
      const slot = (this.#inserted - this.#count--) & lastSlot;
      this.#size -= this.#ring[slot]?.size ?? 0;
      this.#ring[slot] = null;
    }
  }
}

const nothing: Buffer = Buffer.alloc(0);
