/**
 * Bounds on single results and single calls, which the count of steps does not see: `repeat 1000000000 "a"` is one
 * step, and a list that contains another twice, thirty levels deep, prints a billion elements.
 */
import { LimitError } from '../errors.ts';

/** Most elements of a list that one call may make. */
const maxElements = 1_048_576;

/** Most characters that a function may make of less. */
const maxMade = 16_777_216;

/** Most characters of any result, a whole file that was read included. */
const maxResult = 67_108_864;

/** Most values that one call may visit, as `deepEqual` does. */
const maxVisits = 5_000_000;

/** Throws where a list would have more elements than a template should ever make. */
export function checkElements(count: number): void {
  if (count > maxElements) throw new LimitError(`exceeded the limit of ${maxElements} elements of a list`);
}

/** Throws where a function would make more text than a template should ever make. */
export function checkCharacters(count: number): void {
  if (count > maxMade) throw new LimitError(`exceeded the limit of ${maxMade} characters of a text`);
}

/** Throws where the result of a call is too large; for texts and lists. */
export function checkResult(value: string | readonly unknown[]): void {
  if (typeof value !== 'string') checkElements(value.length);
  else if (value.length > maxResult) throw new LimitError(`exceeded the limit of ${maxResult} characters of a text`);
}

/** Counts the values that one call visits. */
export class Visits {
  readonly #most: number;
  #left: number;

  constructor(most = maxVisits) {
    this.#most = most;
    this.#left = most;
  }

  /** Counts one; throws where it is too many. */
  count(): void {
    if (--this.#left < 0) throw new LimitError(`exceeded the limit of ${this.#most} values visited by one call`);
  }
}
