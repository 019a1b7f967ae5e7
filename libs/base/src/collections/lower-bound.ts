import { itemAt } from './bounded.ts';

/**
 * Returns the index of the first element at or after the sought position in a sorted array.
 *
 * @param compare Returns a negative number for elements that come before.
 */
export function lowerBound<T>(sorted: readonly T[], compare: (element: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(itemAt(sorted, middle)) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
