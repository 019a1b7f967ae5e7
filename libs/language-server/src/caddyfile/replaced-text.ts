/** The text of a Caddyfile with the variables of the environment in it, and how its places lead back to what is written. */
import type { Environment } from '@sluice/base';
import { replaceEnvironment } from '@sluice/caddyfile';

/** A variable in the text, and where its value stands afterwards. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A text after `{$NAME}` was replaced. */
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

  /** Where the beginning of something in this text is written; the beginning of the variable, if it is in its value. */
  startOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart <= index);
    if (last === undefined) return index;
    return index < last.newEnd ? last.start : last.end + index - last.newEnd;
  }

  /** Where the end of something in this text is written; the end of the variable, if it is in its value. */
  endOf(index: number): number {
    const last = this.#replacements.findLast(({ newStart }) => newStart < index);
    if (last === undefined) return index;
    return index <= last.newEnd ? last.end : last.end + index - last.newEnd;
  }
}
