/**
 * The lines of the section that was read last. A peer sends nearly the same fields with each message: a line that comes again
 * as it was is found by comparing four bytes at a time, and need not be read again.
 */
import { carriageReturn, lineFeed } from './byte-classes.ts';
import type { FieldName } from './field-names.ts';

/** Longer sections are not remembered. */
const maxBytes = 2048;
const nothing = Buffer.alloc(0);
const noView = new DataView(nothing.buffer, 0, 0);

/**
 * The two buffers that were looked at last, as words: mostly those that all sockets of the thread are read into, one of
 * clients and one of upstreams.
 */
let viewed: Buffer = nothing;
let view: DataView = noView;
let viewedBefore: Buffer = nothing;
let viewBefore: DataView = noView;

function viewOf(bytes: Buffer): DataView {
  if (bytes === viewed) return view;
  const before = viewedBefore;
  const beforeView = viewBefore;
  viewedBefore = viewed;
  viewBefore = view;
  viewed = bytes;
  view = bytes === before ? beforeView : new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view;
}

/** The lines of a section, as a parser has read them. Offsets are from the begin of the section. */
export interface ReadLines {
  readonly count: number;
  readonly names: readonly FieldName[];
  /** Begin and end of each value. */
  readonly spans: readonly number[];
  readonly values: readonly string[];
  /** Begin and end of each line. The next one begins where one ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** What a whole section was read as, where that is all that its lines say. */
export interface SectionFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Of a request: the Host field, which is not among them; else empty. */
  readonly host: string;
}

/** A memory, of one parser or of several whose peers are alike. */
export class LineMemory {
  /** What is known of each line. {@link find} tells whether a line is the same. */
  readonly names: FieldName[] = [];
  readonly values: string[] = [];
  /** Begin and end of each value, from the begin of its line. */
  readonly spans: number[] = [];
  #bytes: Buffer = nothing;
  #view: DataView = noView;
  /** Where each line ends in {@link #bytes}; the next one begins there. */
  readonly #ends: number[] = [];
  #count = 0;
  /** Where the last line ends. */
  #size = 0;
  /** What all lines together were read as; `null` where that is not known. */
  #fields: SectionFields | null = null;
  /** A connection that brings one message shall not pay for the memory. */
  #isFirst = true;

  /** The length of a line that is in `bytes[start..end)` as it was the last time, with its line end; 0 if it is not. */
  find(line: number, bytes: Buffer, start: number, end: number): number {
    if (line >= this.#count) return 0;
    const at = line === 0 ? 0 : (this.#ends[line - 1] as number);
    const length = (this.#ends[line] as number) - at;
    return length <= end - start && this.#isSame(at, bytes, start, length) ? length : 0;
  }

  /** What the section was read as that was kept last. Asked for when {@link findAll} has found it. */
  get fields(): SectionFields {
    return this.#fields as SectionFields;
  }

  /** The offset after the section that begins at `bytes[start]` if all of it is as it was, and it was {@link sum}med up; else 0. */
  findAll(bytes: Buffer, start: number, end: number): number {
    const size = this.#size;
    const after = start + size;
    if (this.#fields === null || after + 2 > end) return 0;
    if (bytes[after] !== carriageReturn || bytes[after + 1] !== lineFeed) return 0;
    return this.#isSame(0, bytes, start, size) ? after + 2 : 0;
  }

  /** Whether it is worth to {@link sum} up a section of so many lines, each of which was {@link find found}. */
  wantsSum(count: number): boolean {
    return this.#fields === null && count === this.#count && count > 0;
  }

  /** All lines of the section that was kept last were read as this. */
  sum(fields: SectionFields): void {
    this.#fields = fields;
  }

  /** Compares `length` bytes that were kept from `at` on with others. */
  #isSame(at: number, bytes: Buffer, start: number, length: number): boolean {
    const known = this.#view;
    const other = viewOf(bytes);
    const after = start + length;
    let k = at;
    let i = start;
    for (; i + 4 <= after; i += 4, k += 4) if (known.getInt32(k, true) !== other.getInt32(i, true)) return false;
    for (; i < after; i++, k++) if (known.getUint8(k) !== other.getUint8(i)) return false;
    return true;
  }

  /** Remembers the lines of the section that begins at `base`, in place of those before. */
  keep(bytes: Buffer, base: number, { count, names, spans, values, starts, ends }: ReadLines): void {
    this.#count = 0;
    this.#fields = null;
    if (this.#isFirst || count === 0) {
      this.#isFirst = false;
      return;
    }
    const first = starts[0] as number;
    const size = (ends[count - 1] as number) - first;
    if (size > maxBytes) return;
    if (this.#bytes.length < size) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, size + 128));
      this.#view = new DataView(this.#bytes.buffer);
    }
    bytes.copy(this.#bytes, 0, base + first, base + first + size);
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      this.names[i] = names[i] as FieldName;
      this.values[i] = values[i] as string;
      this.spans[2 * i] = (spans[2 * i] as number) - start;
      this.spans[2 * i + 1] = (spans[2 * i + 1] as number) - start;
      this.#ends[i] = (ends[i] as number) - first;
    }
    this.#count = count;
    this.#size = size;
  }
}
