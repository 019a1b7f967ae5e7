/**
 * Caches the lines of the last section, because peers send nearly the same fields in each message. A comparison of four bytes at a time
 * detects a repeated line, which is then not parsed again.
 */
import { numberAt } from '@sluice/base';
import { carriageReturn, lineFeed } from './byte-classes.ts';
import type { FieldName } from './field-names.ts';

/** Maximum size of a cached section, in bytes. */
const maxBytes = 2048;
const nothing = Buffer.alloc(0);
const noView = new DataView(nothing.buffer, 0, 0);

/** Word views of the two most recent buffers. These are usually the thread's receive buffers, one for clients and one for upstreams. */
let viewed: Buffer = nothing;
let view: DataView = noView;
let previouslyViewed: Buffer = nothing;
let viewBefore: DataView = noView;

function viewOf(bytes: Buffer): DataView {
  if (bytes === viewed) return view;
  const before = previouslyViewed;
  const beforeView = viewBefore;
  previouslyViewed = viewed;
  viewBefore = view;
  viewed = bytes;
  view = bytes === before ? beforeView : new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view;
}

/** Parsed lines of a section. Offsets are relative to the section start. */
export interface ReadLines {
  readonly count: number;
  readonly names: readonly FieldName[];
  /** Start and end of each value. */
  readonly spans: readonly number[];
  readonly values: readonly string[];
  /** Start and end of each line. Each line begins at the end of the previous line. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Parsed fields of a whole section, if the lines contain nothing else. */
export interface SectionFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Host field of a request, which is not among the names; otherwise empty. */
  readonly host: string;
}

/** Cache of one parser, or of several parsers with similar peers. */
export class LineMemory {
  /** Parsed data of each line. {@link find} checks whether a line is identical. */
  readonly names: FieldName[] = [];
  readonly values: string[] = [];
  /** Start and end of each value, relative to the line start. */
  readonly spans: number[] = [];
  #bytes: Buffer = nothing;
  #view: DataView = noView;
  /** End of each line in {@link #bytes}, which is the start of the next line. */
  readonly #ends: number[] = [];
  #count = 0;
  /** End of the last line. */
  #size = 0;
  /** Parsed fields of the whole section; `null` if not cached. */
  #fields: SectionFields | null = null;
  /** True for the first section of a connection. Connections with a single message are not cached. */
  #isFirst = true;

  /** Returns the length, including the line ending, of the line in `bytes[start..end)` if the line is cached; otherwise 0. */
  find(line: number, bytes: Buffer, start: number, end: number): number {
    if (line >= this.#count) return 0;
    const at = line === 0 ? 0 : (this.#ends[line - 1] as number);
    const length = (this.#ends[line] as number) - at;
    return length <= end - start && this.#isSame(at, bytes, start, length) ? length : 0;
  }

  /** Fields of the cached section. Only valid after {@link findAll} has found the section. */
  get fields(): SectionFields {
    return this.#fields as SectionFields;
  }

  /** Returns the offset after the section at `bytes[start]` if the section is cached and was passed to {@link sum}; otherwise 0. */
  findAll(bytes: Buffer, start: number, end: number): number {
    const size = this.#size;
    const after = start + size;
    if (this.#fields === null || after + 2 > end) return 0;
    if (bytes[after] !== carriageReturn || bytes[after + 1] !== lineFeed) return 0;
    return this.#isSame(0, bytes, start, size) ? after + 2 : 0;
  }

  /** Reports whether a section of `count` lines, all {@link find found}, should be passed to {@link sum}. */
  wantsSum(count: number): boolean {
    return this.#fields === null && count === this.#count && count > 0;
  }

  /** Caches the fields of the whole section. */
  sum(fields: SectionFields): void {
    this.#fields = fields;
  }

  /** Compares `length` cached bytes from `at` on with `bytes`. */
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

  /** Caches the lines of the section that begins at `base`, replacing previously cached lines. */
  keep(bytes: Buffer, base: number, { count, names, spans, values, starts, ends }: ReadLines): void {
    this.#count = 0;
    this.#fields = null;
    if (this.#isFirst || count === 0) {
      this.#isFirst = false;
      return;
    }
    const first = numberAt(starts, 0);
    const size = numberAt(ends, count - 1) - first;
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
