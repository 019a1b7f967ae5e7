/**
 * Encodes HPACK field blocks (RFC 7541). Each connection has one encoder. When a field is sent for the second time with the same value, it
 * is added to the dynamic table. Servers repeat the same fields, so repeated blocks are copied from a cache.
 */
import { wordAt, numberAt, itemAt } from '@sluice/base';
import type { Output } from '../output.ts';
import { staticIndexes, staticIndexOf, staticSize } from './static-table.ts';

/** Maximum dynamic table size in bytes. The peer may set a lower limit. */
const tableLimit = 4096;
const overhead = 32;
const slots = tableLimit / overhead;
const lastSlot = slots - 1;
/** Maximum number of names per connection. `maxValues` is the maximum number of values per name. */
const maxNames = 64;
const maxValues = 4;
/** Maximum number of cached field blocks per connection. */
const maxBlocks = 4;
/** Maximum size of a cached field block, in bytes. */
const maxBlockSize = 1024;

/** Fields whose values rarely repeat. They are not added to the table. */
const unique: ReadonlySet<string> = new Set(['content-length', 'content-range', 'etag', 'last-modified', 'location']);
/** Sensitive fields, which intermediaries must never index (RFC 7541 §7.1.3). */
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
  /**
   * Literal representation for fields that are not added to the table, because their values are unique or sensitive. `null` for other
   * fields.
   */
  readonly form: LiteralForm | null;
  /** Index of the name in the static table; 0 if absent. */
  readonly index: number;
  readonly values: string[];
  /** Table entry for each value, identified by the number of insertions before it. -1 if the value has been sent only once. */
  readonly entries: number[];
  /** Index of the value to evict next. */
  turn: number;
}

interface Block {
  readonly fields: readonly string[];
  readonly bytes: Buffer;
  /** Table state that the cached block requires, as a total number of insertions. */
  readonly inserted: number;
}

export class HpackEncoder {
  readonly #names = new Map<string, NameState>();
  readonly #sizes = new Int32Array(slots);
  #inserted = 0;
  #count = 0;
  #size = 0;
  #limit = tableLimit;
  /** Smallest table size to advertise, followed by the final size to advertise. -1 if there is none. */
  #smallest = -1;
  #advertised = -1;
  readonly #blocks: Block[] = [];
  #blockTurn = 0;
  /** True if the current block contains a value for the first time. The next encoding of the same fields will be shorter. */
  #fresh = false;

  /** Sets the maximum table size that the peer allows (RFC 9113 §6.5.2). */
  setLimit(bytes: number): void {
    const limit = Math.min(bytes, tableLimit);
    if (limit === this.#limit) return;
    if (this.#smallest < 0 || limit < this.#smallest) this.#smallest = limit;
    this.#advertised = this.#limit = limit;
    this.#evict(0);
    this.#blocks.length = this.#blockTurn = 0;
  }

  /** Encodes `fields`, which alternates lowercase names and Latin-1 values. */
  encode(output: Output, fields: readonly string[]): void {
    if (this.#advertised >= 0) this.#advertise(output);
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

  /** Returns the maximum encoded size of fields, in bytes. */
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

  #advertise(output: Output): void {
    if (this.#smallest < this.#advertised) output.integer(0x20, 0x1f, this.#smallest);
    output.integer(0x20, 0x1f, this.#advertised);
    this.#smallest = this.#advertised = -1;
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
