/**
 * The lines of one section of fields after the other, as a parser finds them: names, and where values are. Strings of values
 * are made when the section is complete, and only of lines that are not as they were in the section before.
 */
import { decodeBytes, trimBlanks } from '@sluice/base';
import { space, tab } from './byte-classes.ts';
import type { FieldName } from './field-names.ts';
import type { LineMemory, SectionFields } from './line-memory.ts';

/** How a value was written: on one line of ASCII, or in need of a second look. */
export const plain = 0;
export const high = 1;
const folded = 2;
/** The line is the same as in the section before, and so is its value. */
const repeated = 3;

/** What parsers of sections have in common. */
export abstract class LineTable {
  /** How many lines were read. */
  protected count = 0;
  /** How many of them the memory did not have. */
  protected fresh = 0;
  /** Name of each line. */
  protected readonly lineNames: FieldName[] = [];
  /** Begin and end of each value, from the begin of the section. */
  protected readonly spans: number[] = [];
  protected readonly forms: number[] = [];
  /** Value of each line that the memory had, or that was asked for. */
  readonly #values: string[] = [];
  /** Where each line begins and ends, from the begin of the section. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #memory: LineMemory;

  constructor(memory: LineMemory) {
    this.#memory = memory;
  }

  /** Reads the next line if it is as it was. Returns the offset after it; 0 if it has to be read. */
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

  /** Reads the whole section that begins at `start` if all of it is as it was. Returns the offset after it; 0 if it has to be read. */
  protected repeatSection(bytes: Buffer, start: number, end: number): number {
    return this.#memory.findAll(bytes, start, end);
  }

  /** What {@link repeatSection} has read. It is for all who read the same section: to be copied. */
  protected get repeatedFields(): SectionFields {
    return this.#memory.fields;
  }

  /** Whether {@link sumUp} should be called: all lines of the section are those of the section before. */
  protected get wantsSum(): boolean {
    return this.fresh === 0 && this.#memory.wantsSum(this.count);
  }

  /** The section that is complete says this, and nothing else. Next time it is read as a whole. */
  protected sumUp(names: readonly string[], values: readonly string[], host: string): void {
    this.#memory.sum({ names: [...names], values: [...values], host });
  }

  /** A line was read: name, span and form of line {@link count} are set. Both offsets are from the begin of the section. */
  protected lineRead(start: number, end: number): void {
    this.#values[this.count] = '';
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.fresh++;
    this.count++;
  }

  /** The last line goes on: its value to `valueEnd`, itself to `end`. */
  protected lineFolded(valueEnd: number, end: number): void {
    const last = this.count - 1;
    if (this.forms[last] === repeated) this.fresh++;
    this.spans[2 * last + 1] = Math.max(this.spans[2 * last] as number, valueEnd);
    this.forms[last] = folded;
    this.#ends[last] = end;
  }

  /** The section is complete, and all values were asked for that are wanted. */
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

  /** Begins another section. */
  protected forgetLines(): void {
    this.count = this.fresh = 0;
  }

  /** The value of a line; `text` is the section, one character per byte, or less where no line is {@link fresh}. */
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

/** The end of a value that is in `bytes[start..end)`, blanks after it excepted. */
export function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let i = end;
  while (i > start && (bytes[i - 1] === space || bytes[i - 1] === tab)) i--;
  return i;
}
