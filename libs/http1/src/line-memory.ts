/**
 * Caches the lines of the last field section, because peers send nearly the same fields in each message. Repeated lines are detected by
 * comparing four bytes at a time and are not parsed again.
 */
import { numberAt } from '@sluice/base';
import { carriageReturn, lineFeed } from './byte-classes.ts';
import type { FieldName } from './field-names.ts';

/** Maximum size of a cached section, in bytes. */
const maxBytes = 2048;
const nothing = Buffer.alloc(0);
const noView = new DataView(nothing.buffer, 0, 0);

/**
 * Word views of the two most recently used buffers. These are usually the receive buffers that the thread uses for clients and for
 * upstreams.
 */
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

/** Parsed lines of a section. Offsets are relative to the start of the section. */
export interface ReadLines {
  readonly count: number;
  readonly names: readonly FieldName[];
  /** Start and end offsets of each value. */
  readonly spans: readonly number[];
  readonly values: readonly string[];
  /** Start and end offsets of each line. Each line starts where the previous line ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Parsed fields of an entire section. Present only if the section contains nothing but ordinary fields. */
export interface SectionFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Value of the request's `Host` field, which is not in `names`; otherwise empty. */
  readonly host: string;
}

/** Line cache of one parser, or of several parsers whose peers send similar fields. */
export class LineMemory {
  /** Field name of each cached line. {@link find} checks that a line is identical. */
  readonly names: FieldName[] = [];
  readonly values: string[] = [];
  /** Start and end offsets of each value, relative to the start of its line. */
  readonly spans: number[] = [];
  #bytes: Buffer = nothing;
  #view: DataView = noView;
  /** End offset of each line in {@link #bytes}. The next line starts there. */
  readonly #ends: number[] = [];
  #count = 0;
  /** End offset of the last line. */
  #size = 0;
  /** Parsed fields of the entire section; `null` if not cached. */
  #fields: SectionFields | null = null;
  /** True during the first section of a connection. This section is not cached, because no second section may follow. */
  #isFirst = true;

  /** Returns the length of the line in `bytes[start..end)`, including the line ending, if the line is cached. Otherwise returns 0. */
  find(line: number, bytes: Buffer, start: number, end: number): number {
    if (line >= this.#count) return 0;
    const at = line === 0 ? 0 : (this.#ends[line - 1] as number);
    const length = (this.#ends[line] as number) - at;
    return length <= end - start && this.#isSame(at, bytes, start, length) ? length : 0;
  }

  /** Fields of the cached section. Valid only after {@link findAll} has found the section. */
  get fields(): SectionFields {
    return this.#fields as SectionFields;
  }

  /** Returns the offset after the section at `bytes[start]`, if the section was cached by {@link sum}. Otherwise returns 0. */
  findAll(bytes: Buffer, start: number, end: number): number {
    const size = this.#size;
    const after = start + size;
    if (this.#fields === null || after + 2 > end) return 0;
    if (bytes[after] !== carriageReturn || bytes[after + 1] !== lineFeed) return 0;
    return this.#isSame(0, bytes, start, size) ? after + 2 : 0;
  }

  /** Reports whether a section should be passed to {@link sum}. This requires that all `count` lines were {@link find found} in the cache. */
  wantsSum(count: number): boolean {
    return this.#fields === null && count === this.#count && count > 0;
  }

  /** Caches the fields of an entire section. */
  sum(fields: SectionFields): void {
    this.#fields = fields;
  }

  /** Compares `length` cached bytes, starting at `at`, with the given bytes. */
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

  /** Caches the lines of the section that starts at `base`, and discards previously cached lines. */
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
