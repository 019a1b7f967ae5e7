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

/** Shorter arrays are compared sooner than found. */
const worthRemembering = 256;

/** What long arrays were compared with. Not by `WeakRef`, which keeps what it refers to until all that is ready has run: with many changes at once, all of them. */
const remembered = new WeakMap<object, WeakMap<object, ArraySplice>>();

/**
 * Compares two arrays by identity from both ends. They must not be changed any more: of long ones the result is remembered,
 * since each part of a change asks again what became of the same array.
 */
export function spliceOf(before: readonly unknown[], after: readonly unknown[]): ArraySplice {
  if (after.length < worthRemembering) return compare(before, after);
  const known = remembered.get(after)?.get(before);
  if (known !== undefined) return known;
  const inverse = remembered.get(before)?.get(after);
  if (inverse !== undefined) return { start: inverse.start, removed: inverse.inserted, inserted: inverse.removed };
  const splice = compare(before, after);
  remembered.set(after, new WeakMap([[before, splice]]));
  return splice;
}

function compare(before: readonly unknown[], after: readonly unknown[]): ArraySplice {
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
