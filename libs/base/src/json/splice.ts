/** The difference of two arrays as one splice, found by identity. */

/** The elements of two arrays that differ once equal ends are taken away. */
export interface ArraySplice {
  /** Index of the first element that differs. */
  readonly start: number;
  /** How many elements of the old array are gone or changed. */
  readonly removed: number;
  /** How many elements of the new array stand in their place. */
  readonly inserted: number;
}

/** Compares two arrays by identity from both ends. */
export function spliceOf(before: readonly unknown[], after: readonly unknown[]): ArraySplice {
  let start = 0;
  let endBefore = before.length;
  let endAfter = after.length;
  while (start < endBefore && start < endAfter && before[start] === after[start]) start++;
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--;
    endAfter--;
  }
  return { start, removed: endBefore - start, inserted: endAfter - start };
}
