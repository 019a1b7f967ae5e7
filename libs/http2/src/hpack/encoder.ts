/**
 * Encodes field blocks (RFC 7541). Each connection has its own encoder. Servers repeat the same fields: a field that is sent a second time
 * with the same value is added to the table, and a repeated block is copied.
 */
import { wordAt, numberAt, itemAt } from '@sluice/base';
import type { Output } from '../output.ts';
import { staticIndexes, staticIndexOf, staticSize } from './static-table.ts';

/** Maximum table size in bytes; the peer may set a lower limit. */
const tableLimit = 4096;
const overhead = 32;
const slots = tableLimit / overhead;
const lastSlot = slots - 1;
/** Maximum number of names per connection, and of values per name. */
const maxNames = 64;
const maxValues = 4;
/** Number of cached blocks per connection. */
const maxBlocks = 4;
/** Maximum size of a cached block, in bytes. */
const maxBlockSize = 1024;

/** Fields whose values rarely repeat. */
const unique: ReadonlySet<string> = new Set(['content-length', 'content-range', 'etag', 'last-modified', 'location']);
/** Sensitive fields, which must never be indexed by intermediaries (RFC 7541 §7.1.3). */
const secret: ReadonlySet<string> = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

interface LiteralForm {
  readonly pattern: number;
  readonly mask: number;
}

const indexed: LiteralForm = { pattern: 0x40, mask: 0x3f };
const notIndexed: LiteralForm = { pattern: 0, mask: 0x0f };
const neverIndexed: LiteralForm = { pattern: 0x10, mask: 0x0f };

interface NameState {
  readonly name: string;
  /** Representation of values that are never indexed, because they are unique or sensitive; otherwise `null`. */
  readonly form: LiteralForm | null;
  /** Index of the name in the static table; 0 if not present. */
  readonly index: number;
  readonly values: string[];
  /** Entry of each value, as the number of earlier insertions; -1 if the value was seen once. */
  readonly entries: number[];
  /** Value that is evicted next. */
  turn: number;
}

interface Block {
  readonly fields: readonly string[];
  readonly bytes: Buffer;
  /** State of the table that the block requires, as the number of insertions. */
  readonly inserted: number;
}

export class HpackEncoder {
  readonly #names = new Map<string, NameState>();
  readonly #sizes = new Int32Array(slots);
  #inserted = 0;
  #count = 0;
  #size = 0;
  #limit = tableLimit;
  /** Smallest and last table size to announce; -1 if none. */
  #smallest = -1;
  #announced = -1;
  readonly #blocks: Block[] = [];
  #blockTurn = 0;
  /** True if the block contains a value for the first time, so that the next encoding will be shorter. */
  #fresh = false;

  /** Sets the maximum table size of the peer (RFC 9113 §6.5.2). */
  setLimit(bytes: number): void {
    const limit = Math.min(bytes, tableLimit);
    if (limit === this.#limit) return;
    if (this.#smallest < 0 || limit < this.#smallest) this.#smallest = limit;
    this.#announced = this.#limit = limit;
    this.#evict(0);
    this.#blocks.length = this.#blockTurn = 0;
  }

  /** Encodes alternating names (lowercase) and values (Latin-1). */
  encode(output: Output, fields: readonly string[]): void {
    if (this.#announced >= 0) this.#announce(output);
    const known = this.#blockOf(fields);
    if (known !== null) {
      output.copy(known.bytes, 0, known.bytes.length);
      return;
    }
    const { end } = output;
    const before = this.#inserted;
    this.#fresh = false;
    for (let i = 0; i < fields.length; i += 2) this.#field(output, itemAt(fields, i), itemAt(fields, i + 1));
    const size = output.end - end;
    if (this.#fresh || before !== this.#inserted || size > maxBlockSize) return;
    const bytes = Buffer.from(output.bytes.subarray(end, output.end));
    this.#blocks[this.#blockTurn] = { fields, bytes, inserted: before };
    this.#blockTurn = (this.#blockTurn + 1) % maxBlocks;
  }

  /** Returns the maximum encoded size of fields. */
  static sizeOf(fields: readonly string[]): number {
    let size = 16;
    for (const text of fields) size += text.length + 8;
    return size;
  }

  #blockOf(fields: readonly string[]): Block | null {
    for (const block of this.#blocks)
      if (block.inserted === this.#inserted && isSame(block.fields, fields)) return block;
    return null;
  }

  #announce(output: Output): void {
    if (this.#smallest < this.#announced) output.integer(0x20, 0x1f, this.#smallest);
    output.integer(0x20, 0x1f, this.#announced);
    this.#smallest = this.#announced = -1;
  }

  #field(output: Output, name: string, value: string): void {
    const state = this.#names.get(name) ?? this.#learn(name);
    const index = state.form === neverIndexed ? 0 : staticIndexOf(state.index, value);
    if (index > 0) {
      output.integer(0x80, 0x7f, index);
      return;
    }
    if (state.form !== null) {
      literal(output, state.form, state, value);
      return;
    }
    const at = state.values.indexOf(value);
    if (at < 0) {
      this.#fresh = true;
      state.values[state.turn] = value;
      state.entries[state.turn] = -1;
      state.turn = (state.turn + 1) % maxValues;
      literal(output, notIndexed, state, value);
      return;
    }
    const entry = numberAt(state.entries, at);
    const age = this.#inserted - entry;
    if (entry >= 0 && age <= this.#count) {
      output.integer(0x80, 0x7f, staticSize + age);
      return;
    }
    const size = name.length + value.length + overhead;
    if (size > this.#limit / 2) {
      literal(output, notIndexed, state, value);
      return;
    }
    literal(output, indexed, state, value);
    state.entries[at] = this.#insert(size);
  }

  #learn(name: string): NameState {
    if (this.#names.size >= maxNames) this.#names.clear();
    const form = secret.has(name) ? neverIndexed : unique.has(name) ? notIndexed : null;
    const state: NameState = { name, form, index: staticIndexes.get(name) ?? 0, values: [], entries: [], turn: 0 };
    this.#names.set(name, state);
    return state;
  }

  #insert(size: number): number {
    this.#evict(size);
    this.#sizes[this.#inserted & lastSlot] = size;
    this.#count++;
    this.#size += size;
    return this.#inserted++;
  }

  #evict(room: number): void {
    while (this.#count > 0 && this.#size + room > this.#limit) {
      this.#size -= wordAt(this.#sizes, (this.#inserted - this.#count) & lastSlot);
      this.#count--;
    }
  }
}

function literal(output: Output, { pattern, mask }: LiteralForm, { index, name }: NameState, value: string): void {
  output.integer(pattern, mask, index);
  if (index === 0) {
    output.integer(0, 0x7f, name.length);
    output.latin1(name);
  }
  output.integer(0, 0x7f, value.length);
  output.latin1(value);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
