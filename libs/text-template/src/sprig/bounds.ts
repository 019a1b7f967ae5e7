/** Bounds on single results, which the count of steps does not see: `repeat 1000000000 "a"` is one step. */
import { LimitError } from '../errors.ts';

/** Most elements of a list, and most characters of a text, that one call may make. */
export const maxLength = 16_777_216;

/** Throws where a call asks for more than a template should ever make. */
export function checkLength(length: number): void {
  if (length > maxLength) throw new LimitError(`exceeded the limit of ${maxLength} elements or characters in one result`);
}
