/**
 * Writes field blocks (RFC 7541). One for each connection. Servers send the same fields again and again: a field that is sent
 * a second time with the same value goes to the table, and a block that is sent a second time is copied.
 */
import type { Output } from '../output.ts';
import { staticIndexes, staticIndexOf, staticSize } from './static-table.ts';

/** Bytes of our table; a peer may ask for less. */
const tableLimit = 4096;
const overhead = 32;
const slots = tableLimit / overhead;
const lastSlot = slots - 1;
/** Names that a connection remembers, and values of each. */
const maxNames = 64;
const maxValues = 4;
/** Blocks that a connection remembers. */
const maxBlocks = 4;
/** Longer blocks are not worth remembering, in bytes. */
const maxBlockSize = 1024;

/** Fields whose values hardly ever come again. */
const unique: ReadonlySet<string> = new Set(['content-length', 'content-range', 'etag', 'last-modified', 'location']);
/** Fields that no intermediary may put into a table (RFC 7541 §7.1.3). */
const secret: ReadonlySet<string> = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

/** How a literal begins (RFC 7541 §6.2): its bits, and those of the first byte that the name's index has. */
interface LiteralForm {
  readonly pattern: number;
  readonly mask: number;
}

const indexed: LiteralForm = { pattern: 0x40, mask: 0x3f };
const notIndexed: LiteralForm = { pattern: 0, mask: 0x0f };
const neverIndexed: LiteralForm = { pattern: 0x10, mask: 0x0f };

/** What was sent with a name. */
interface NameState {
  readonly name: string;
  /** The form of values that do not go to the table: those that differ each time, and secrets; `null` for all others. */
  readonly form: LiteralForm | null;
  /** Index of the name in the static table; 0 if it is not there. */
  readonly index: number;
  readonly values: string[];
  /** The number of the entry by value: how many were inserted before it; -1 for a value that was seen once. */
  readonly entries: number[];
  /** Which value is forgotten next. */
  turn: number;
}

/** A block that was sent. */
interface Block {
  readonly fields: readonly string[];
  readonly bytes: Buffer;
  /** The table it is for, by the number of entries inserted. */
  readonly inserted: number;
}

/** Encoder of one connection. */
export class HpackEncoder {
  readonly #names = new Map<string, NameState>();
  readonly #sizes = new Int32Array(slots);
  #inserted = 0;
  #count = 0;
  #size = 0;
  #limit = tableLimit;
  /** The smallest and the last size that the peer has to hear of; -1: none. */
  #smallest = -1;
  #announced = -1;
  readonly #blocks: Block[] = [];
  #blockTurn = 0;
  /** Whether the block has a value that was not sent before: it will be shorter the next time. */
  #fresh = false;

  /** The peer's table may have so many bytes (RFC 9113 §6.5.2). */
  setLimit(bytes: number): void {
    const limit = Math.min(bytes, tableLimit);
    if (limit === this.#limit) return;
    if (this.#smallest < 0 || limit < this.#smallest) this.#smallest = limit;
    this.#announced = this.#limit = limit;
    this.#evict(0);
    this.#blocks.length = this.#blockTurn = 0;
  }

  /** Writes names and values in turn. The names are in lower case; values have a character per byte. */
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
    for (let i = 0; i < fields.length; i += 2) this.#field(output, fields[i] as string, fields[i + 1] as string);
    const size = output.end - end;
    if (this.#fresh || before !== this.#inserted || size > maxBlockSize) return;
    const bytes = Buffer.from(output.bytes.subarray(end, output.end));
    this.#blocks[this.#blockTurn] = { fields, bytes, inserted: before };
    this.#blockTurn = (this.#blockTurn + 1) % maxBlocks;
  }

  /** Most bytes that fields can take. */
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
    const entry = state.entries[at] as number;
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
      this.#size -= this.#sizes[(this.#inserted - this.#count) & lastSlot] as number;
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
