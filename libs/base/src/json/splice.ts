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

/** More elements than this are not passed as arguments, of which there is an end. */
const maxArguments = 1000;

/** The array with `inserted` in the place of `removed` elements from `start` on, allocated once at its length. */
export function replaceElements<T>(
  array: readonly T[],
  start: number,
  removed: number,
  inserted: readonly T[],
): readonly T[] {
  if (inserted.length <= maxArguments) return array.toSpliced(start, removed, ...inserted);
  return array.slice(0, start).concat(inserted, array.slice(start + removed));
}
