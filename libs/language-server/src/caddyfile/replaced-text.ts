/** Caddyfile text with expanded environment variables. Positions can be mapped back to the original text. */
import type { Environment } from '@sluice/base';
import { replaceEnvironment } from '@sluice/caddyfile';

/** An expanded variable and the range of its value in the expanded text. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export class ReplacedText {
  readonly text: string;
  readonly #replacements: Replacement[] = [];

  constructor(written: string, environment: Environment) {
    let shift = 0;
    this.text = replaceEnvironment(written, environment, (start, end, value) => {
      const newStart = start + shift;
      this.#replacements.push({ start, end, newStart, newEnd: newStart + value.length });
      shift += value.length - (end - start);
    });
  }

  /**
   * Returns the start position of a range in the original text. If the range starts inside a variable's value, returns the start of the
   * variable.
   */
  startOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart <= index);
    if (last === undefined) return index;
    return index < last.newEnd ? last.start : last.end + index - last.newEnd;
  }

  /** Returns the end position of a range in the original text. If the range ends inside a variable's value, returns the end of the variable. */
  endOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart < index);
    if (last === undefined) return index;
    return index <= last.newEnd ? last.end : last.end + index - last.newEnd;
  }
}
