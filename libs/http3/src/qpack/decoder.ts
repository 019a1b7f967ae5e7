/** Decodes QPACK field sections (RFC 9204 §4.5) and the instructions of the peer's encoder (§4.3). Each connection has one decoder. */
import { fromLatin1 } from '@sluice/base';
import { fieldKind, fieldName, isFieldValue, type FieldName, type FieldSink } from '@sluice/http2';
import { h3Error, Http3Error } from '../error-code.ts';
import { PrefixReader } from './integer-reader.ts';
import { staticEntries } from './static-table.ts';

/** Advertised capacity of the QPACK dynamic table, in bytes. */
export const tableCapacity = 4096;
/** Advertised maximum number of streams that may be blocked by missing table entries. */
export const maxBlockedStreams = 16;
/** Overhead of each table entry, in bytes (RFC 9204 §3.2.1). */
const overhead = 32;
const maxEntries = tableCapacity / overhead;
/** Maximum size of an incomplete instruction to buffer, in bytes. A larger entry would not fit into the table. */
const maxInstruction = 2 * tableCapacity;

interface Entry {
  readonly name: FieldName;
  readonly value: string;
  readonly kind: number;
  readonly size: number;
}

/** Results of {@link QpackDecoder.decode}. */
export const decodeResult = { done: 0, blocked: 1 } as const;

const fixed: readonly Entry[] = staticEntries.map(([text, value]) => entryOf(fieldName(text), value));

function entryOf(name: FieldName, value: string): Entry {
  const kind = isFieldValue(value) ? name.kind : fieldKind.malformed;
  return { name, value: fromLatin1(value), kind, size: name.name.length + value.length + overhead };
}

export class QpackDecoder {
  /** Table entries, oldest first. The first entry has the absolute index {@link #dropped}. */
  #table: Entry[] = [];
  #dropped = 0;
  #size = 0;
  #capacity = 0;
  #partial: Buffer = nothing;
  readonly #reader = new PrefixReader();

  /** Total number of entries inserted so far. */
  get inserted(): number {
    return this.#dropped + this.#table.length;
  }

  /** Processes bytes from the peer's encoder stream. Returns the number of inserted entries. */
  instructions(bytes: Buffer): number {
    const all = this.#partial.length === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const before = this.inserted;
    const reader = this.#reader.reset(all, 0, all.length);
    let at = 0;
    while (at < all.length) {
      this.#instruction(reader);
      if (reader.invalid) throw encoderError('malformed instruction');
      if (reader.truncated) break;
      at = reader.at;
    }
    this.#partial = at < all.length ? Buffer.from(all.subarray(at)) : nothing;
    if (this.#partial.length > maxInstruction) throw encoderError('instruction is too long');
    return this.inserted - before;
  }

  #instruction(reader: PrefixReader): void {
    const first = reader.peek();
    if ((first & 0x80) !== 0) {
      const index = reader.integer(0x3f);
      const value = reader.text(0x7f);
      if (!reader.failed) this.#insert((first & 0x40) !== 0 ? staticAt(index).name : this.#relative(index).name, value);
    } else if ((first & 0x40) !== 0) {
      const name = reader.text(0x1f);
      const value = reader.text(0x7f);
      if (!reader.failed) this.#insert(fieldName(name), value);
    } else if ((first & 0x20) !== 0) {
      const capacity = reader.integer(0x1f);
      if (reader.failed) return;
      if (capacity > tableCapacity) throw encoderError('dynamic table capacity exceeds the advertised maximum');
      this.#capacity = capacity;
      this.#evict(0);
    } else {
      const index = reader.integer(0x1f);
      if (!reader.failed) this.#add(this.#relative(index));
    }
  }

  #insert(name: FieldName, value: string): void {
    this.#add(entryOf(name, value));
  }

  #add(entry: Entry): void {
    if (entry.size > this.#capacity) throw encoderError('entry is larger than the dynamic table');
    this.#evict(entry.size);
    this.#table.push(entry);
    this.#size += entry.size;
  }

  #evict(room: number): void {
    while (this.#size + room > this.#capacity) {
      const gone = this.#table.shift();
      if (gone === undefined) return;
      this.#dropped += 1;
      this.#size -= gone.size;
    }
  }

  /** Returns the entry for a relative index in an instruction. */
  #relative(index: number): Entry {
    const found = this.#table[this.#table.length - 1 - index];
    if (found === undefined) throw encoderError('instruction refers to a missing table entry');
    return found;
  }

  /**
   * Decodes the field section in `bytes`. Returns a {@link decodeResult}. If the section is blocked, the caller must decode it again after
   * {@link requiredInserts} entries have been inserted.
   */
  decode(bytes: Buffer, sink: FieldSink): number {
    const reader = this.#reader.reset(bytes, 0, bytes.length);
    const encoded = reader.integer(0xff);
    const isNegative = (reader.peek() & 0x80) !== 0;
    const delta = reader.integer(0x7f);
    if (reader.failed) throw failed('truncated section prefix');
    const required = this.#required(encoded);
    this.requiredInserts = required;
    if (required > this.inserted) return decodeResult.blocked;
    const base = isNegative ? required - delta - 1 : required + delta;
    if (base < 0) throw failed('negative section base');
    while (reader.at < reader.end) this.#line(reader, base, sink);
    return decodeResult.done;
  }

  /** Required Insert Count of the last decoded section; 0 if the section uses no dynamic entries. */
  requiredInserts = 0;

  /** Decodes the Required Insert Count (RFC 9204 §4.5.1.1). */
  #required(encoded: number): number {
    if (encoded === 0) return 0;
    const full = 2 * maxEntries;
    if (encoded > full) throw failed('Required Insert Count is too large');
    const max = this.inserted + maxEntries;
    const wrapped = Math.floor(max / full) * full;
    let required = wrapped + encoded - 1;
    if (required > max) {
      if (required <= full) throw failed('Required Insert Count is too large');
      required -= full;
    }
    if (required === 0) throw failed('Required Insert Count is 0');
    return required;
  }

  #line(reader: PrefixReader, base: number, sink: FieldSink): void {
    const first = reader.peek();
    let entry: Entry | null = null;
    if ((first & 0x80) !== 0) {
      const index = reader.integer(0x3f);
      if (!reader.failed) entry = (first & 0x40) !== 0 ? sectionStatic(index) : this.#absolute(base - index - 1);
    } else if ((first & 0x40) !== 0) {
      const index = reader.integer(0x0f);
      if (!reader.failed) {
        const { name } = (first & 0x10) !== 0 ? sectionStatic(index) : this.#absolute(base - index - 1);
        const value = reader.text(0x7f);
        if (!reader.failed) entry = entryOf(name, value);
      }
    } else if ((first & 0x20) !== 0) {
      const name = reader.text(0x07);
      const value = reader.text(0x7f);
      if (!reader.failed) entry = entryOf(fieldName(name), value);
    } else if ((first & 0x10) !== 0) {
      const index = reader.integer(0x0f);
      if (!reader.failed) entry = this.#absolute(base + index);
    } else {
      const index = reader.integer(0x07);
      if (!reader.failed) {
        const { name } = this.#absolute(base + index);
        const value = reader.text(0x7f);
        if (!reader.failed) entry = entryOf(name, value);
      }
    }
    if (entry === null) throw failed('malformed field line');
    sink.field(entry.name.name, entry.value, entry.kind, entry.size);
  }

  #absolute(index: number): Entry {
    const found = index < this.requiredInserts ? this.#table[index - this.#dropped] : undefined;
    if (found === undefined) throw failed('field line refers to a missing table entry');
    return found;
  }
}

function staticAt(index: number): Entry {
  const found = fixed[index];
  if (found === undefined) throw encoderError('instruction refers to a missing table entry');
  return found;
}

function sectionStatic(index: number): Entry {
  const found = fixed[index];
  if (found === undefined) throw failed('field line refers to a missing table entry');
  return found;
}

function encoderError(reason: string): Http3Error {
  return new Http3Error(h3Error.qpackEncoderStreamError, reason);
}

function failed(reason: string): Http3Error {
  return new Http3Error(h3Error.qpackDecompressionFailed, reason);
}

const nothing = Buffer.alloc(0);
