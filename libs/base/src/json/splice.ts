/** Expresses the difference between two arrays as a single splice. Compares elements by identity. */

/** Range in which two arrays differ, between their common prefix and their common suffix. */
export interface ArraySplice {
  /** Index of the first element that differs. */
  readonly start: number;
  /** Number of old elements to remove. */
  readonly removed: number;
  /** Number of new elements to insert at the same index. */
  readonly inserted: number;
}

/** Minimum length of arrays whose comparison result is cached. For shorter arrays, comparing is faster than a cache lookup. */
const worthRemembering = 256;

/**
 * Cached comparison results for long arrays. A `WeakRef` would keep its target alive until the current job ends. During many concurrent
 * changes, all arrays would stay in memory.
 */
const remembered = new WeakMap<object, WeakMap<object, ArraySplice>>();

/**
 * Compares two arrays by identity from both ends. Callers must not modify the arrays afterwards. Results for long arrays are cached,
 * because each step of a change compares the same arrays.
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

/**
 * Returns the elements that a splice newly inserts. If the changes are far apart, a splice also covers unchanged elements, which this
 * function omits.
 */
export function insertedBy<T>(
  { start, removed, inserted }: ArraySplice,
  before: readonly unknown[],
  after: readonly T[],
): readonly T[] {
  const made = after.slice(start, start + inserted);
  return removed === inserted ? made.filter((element, i) => element !== before[start + i]) : made;
}
