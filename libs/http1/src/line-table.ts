/**
 * Lines of one field section: names and value positions. Value strings are created when the section is complete, and only for lines that
 * differ from the previous section.
 */
import { decodeBytes, trimBlanks } from '@sluice/base';
import { space, tab } from './byte-classes.ts';
import type { FieldName } from './field-names.ts';
import type { LineMemory, SectionFields } from './line-memory.ts';

/** Forms of field values. `plain` means a single line of ASCII. All other forms need more processing. */
export const plain = 0;
export const high = 1;
const folded = 2;
/** Form of a value whose field line is identical to a line in the previous header section. */
const repeated = 3;

/** Base class of the section parsers. */
export abstract class LineTable {
  /** Number of lines parsed so far. */
  protected count = 0;
  /** Number of lines that were not in the cache. */
  protected fresh = 0;
  protected readonly lineNames: FieldName[] = [];
  /** Start and end offsets of each value, relative to the start of the section. */
  protected readonly spans: number[] = [];
  protected readonly forms: number[] = [];
  /** Values of cached lines, and values that were read with `valueOf`. */
  readonly #values: string[] = [];
  /** Start and end offsets of each line, relative to the start of the section. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #memory: LineMemory;

  constructor(memory: LineMemory) {
    this.#memory = memory;
  }

  /** Skips the next line if it is cached. Returns the offset after the line, or 0 if the line must be parsed. */
  protected repeatLine(bytes: Buffer, base: number, start: number, end: number): number {
    const { count } = this;
    const memory = this.#memory;
    const length = memory.find(count, bytes, start, end);
    if (length === 0) return 0;
    const at = start - base;
    this.lineNames[count] = memory.names[count] as FieldName;
    this.#values[count] = memory.values[count] as string;
    this.spans[2 * count] = at + (memory.spans[2 * count] as number);
    this.spans[2 * count + 1] = at + (memory.spans[2 * count + 1] as number);
    this.forms[count] = repeated;
    this.#starts[count] = at;
    this.#ends[count] = at + length;
    this.count = count + 1;
    return start + length;
  }

  /** Skips the entire section at `start` if it is cached. Returns the offset after the section, or 0 if it must be parsed. */
  protected repeatSection(bytes: Buffer, start: number, end: number): number {
    return this.#memory.findAll(bytes, start, end);
  }

  /** Fields of the section skipped by {@link repeatSection}. The fields are shared, so callers must copy them. */
  protected get repeatedFields(): SectionFields {
    return this.#memory.fields;
  }

  /** True if {@link sumUp} should be called because all lines are identical to those of the previous section. */
  protected get wantsSum(): boolean {
    return this.fresh === 0 && this.#memory.wantsSum(this.count);
  }

  /** Caches the fields of the complete section, so that an identical section can be skipped entirely. */
  protected sumUp(names: readonly string[], values: readonly string[], host: string): void {
    this.#memory.sum({ names: [...names], values: [...values], host });
  }

  /**
   * Records a parsed line. The caller has already set the name, span and form of line {@link count}. Offsets are relative to the start of
   * the section.
   */
  protected lineRead(start: number, end: number): void {
    this.#values[this.count] = '';
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.fresh++;
    this.count++;
  }

  /** Extends the last line by a folded line. The value now ends at `valueEnd`, and the line ends at `end`. */
  protected lineFolded(valueEnd: number, end: number): void {
    const last = this.count - 1;
    if (this.forms[last] === repeated) this.fresh++;
    this.spans[2 * last + 1] = Math.max(this.spans[2 * last] as number, valueEnd);
    this.forms[last] = folded;
    this.#ends[last] = end;
  }

  /** Caches the lines of the complete section. Called after all needed values have been read. */
  protected keepLines(bytes: Buffer, base: number): void {
    if (this.fresh === 0) return;
    this.#memory.keep(bytes, base, {
      count: this.count,
      names: this.lineNames,
      spans: this.spans,
      values: this.#values,
      starts: this.#starts,
      ends: this.#ends,
    });
  }

  /** Resets the lines for the next section. */
  protected forgetLines(): void {
    this.count = this.fresh = 0;
  }

  /** Returns the value of a line. `text` is the section as Latin-1. It may be incomplete if no line is {@link fresh}. */
  protected valueOf(line: number, text: string, bytes: Buffer, base: number): string {
    const form = this.forms[line];
    if (form === repeated) return this.#values[line] as string;
    const start = this.spans[2 * line] as number;
    const end = this.spans[2 * line + 1] as number;
    let value: string;
    if (form === plain) value = text.slice(start, end);
    else {
      value = decodeBytes(bytes.subarray(base + start, base + end));
      if (form === folded) value = unfold(value);
    }
    return (this.#values[line] = value);
  }
}

function unfold(value: string): string {
  const lines: string[] = [];
  for (const line of value.split('\n')) lines.push(trimBlanks(line.endsWith('\r') ? line.slice(0, -1) : line));
  return trimBlanks(lines.join(' '));
}

/** Returns the end offset of the value in `bytes[start..end)`, excluding trailing whitespace. */
export function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let i = end;
  while (i > start && (bytes[i - 1] === space || bytes[i - 1] === tab)) i--;
  return i;
}
