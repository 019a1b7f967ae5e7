/**
 * Limits on single results and calls, which the step limit does not cover. `repeat 1000000000 "a"` is one step.
 *
 * Printing a list that contains another list twice, nested thirty levels deep, yields a billion elements.
 */
import { LimitError } from '../errors.ts';

/** Maximum number of list elements that one call can create. */
const maxElements = 1_048_576;

/** Maximum number of characters that a function can create from a smaller input. */
const maxMade = 16_777_216;

/** Maximum number of characters of any result, including a file. */
const maxResult = 67_108_864;

/** Maximum number of values that one call, such as `deepEqual`, can visit. */
const maxVisits = 5_000_000;

/** Throws if a list would have too many elements. */
export function checkElements(count: number): void {
  if (count > maxElements) throw new LimitError(`exceeded the limit of ${maxElements} list elements`);
}

/** Throws if a function would create too much text. */
export function checkCharacters(count: number): void {
  if (count > maxMade) throw new LimitError(`exceeded the limit of ${maxMade} characters per string`);
}

/** Throws if a string or list is too large as the result of a call. */
export function checkResult(value: string | readonly unknown[]): void {
  if (typeof value !== 'string') checkElements(value.length);
  else if (value.length > maxResult) throw new LimitError(`exceeded the limit of ${maxResult} characters per string`);
}

/** Counts the values that one call visits. */
export class Visits {
  readonly #max: number;
  #left: number;

  constructor(max = maxVisits) {
    this.#max = max;
    this.#left = max;
  }

  /** Counts one value. Throws if the limit is exceeded. */
  count(): void {
    if (--this.#left < 0) throw new LimitError(`exceeded the limit of ${this.#max} visited values per call`);
  }
}
