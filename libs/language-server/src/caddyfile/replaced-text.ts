/** Caddyfile text with expanded environment variables, and a mapping back to the original positions. */
import type { Environment } from '@sluice/base';
import { replaceEnvironment } from '@sluice/caddyfile';

/** An expanded variable, and the range of its value. */
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

  /** Returns the original start of a range; if the range starts within a variable value, the start of the variable. */
  startOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart <= index);
    if (last === undefined) return index;
    return index < last.newEnd ? last.start : last.end + index - last.newEnd;
  }

  /** Returns the original end of a range; if the range ends within a variable value, the end of the variable. */
  endOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart < index);
    if (last === undefined) return index;
    return index <= last.newEnd ? last.end : last.end + index - last.newEnd;
  }
}
