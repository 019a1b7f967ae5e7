/**
 * Limits on single results and calls. The step limit does not cover them: `repeat 1000000000 "a"` is only one step.
 *
 * A list that contains another list twice, nested thirty levels deep, prints a billion elements.
 */
import { LimitError } from '../errors.ts';

/** Maximum number of list elements that one call can create. */
const maxElements = 1_048_576;

/** Maximum number of characters that a function can generate from smaller input. */
const maxMade = 16_777_216;

/** Maximum number of characters in the result of any call, including file contents. */
const maxResult = 67_108_864;

/** Maximum number of values that a single call, such as `deepEqual`, can visit. */
const maxVisits = 5_000_000;

/** Throws if the number of list elements exceeds the limit. */
export function checkElements(count: number): void {
  if (count > maxElements) throw new LimitError(`exceeded the limit of ${maxElements} list elements`);
}

/** Throws if the length of generated text exceeds the limit. */
export function checkCharacters(count: number): void {
  if (count > maxMade) throw new LimitError(`exceeded the limit of ${maxMade} characters per string`);
}

/** Throws if a call returned a string or list that exceeds the limit. */
export function checkResult(value: string | readonly unknown[]): void {
  if (typeof value !== 'string') checkElements(value.length);
  else if (value.length > maxResult) throw new LimitError(`exceeded the limit of ${maxResult} characters per string`);
}

/** Counts the values that a single call visits. */
export class Visits {
  readonly #max: number;
  #left: number;

  constructor(max = maxVisits) {
    this.#max = max;
    this.#left = max;
  }

  /** Counts one visited value. Throws if the limit is exceeded. */
  count(): void {
    if (--this.#left < 0) throw new LimitError(`exceeded the limit of ${this.#max} visited values per call`);
  }
}
