/** Expresses the difference of two arrays as one splice, comparing elements by identity. */

/** The part that differs between two arrays after removing their common prefix and suffix. */
export interface ArraySplice {
  /** Index of the first different element. */
  readonly start: number;
  /** Number of old elements that were removed or replaced. */
  readonly removed: number;
  /** Number of new elements that replace them. */
  readonly inserted: number;
}

/**
 * Minimum length of arrays whose comparison is cached. Comparing shorter arrays is faster than looking up a cached
 * result.
 */
const worthRemembering = 256;

/**
 * Cached results for long arrays. Not a `WeakRef`, because a `WeakRef` keeps its target alive until the current job ends, and many
 * concurrent changes would keep all arrays alive.
 */
const remembered = new WeakMap<object, WeakMap<object, ArraySplice>>();

/**
 * Compares two arrays by identity from both ends. Callers must not modify the arrays afterwards: results for long
 * arrays are cached, because each step of a change compares the same arrays.
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

/** Returns the new elements of a splice, except those that replace themselves: a splice of distant changes includes unchanged elements. */
export function insertedBy<T>(
  { start, removed, inserted }: ArraySplice,
  before: readonly unknown[],
  after: readonly T[],
): readonly T[] {
  const made = after.slice(start, start + inserted);
  return removed === inserted ? made.filter((element, i) => element !== before[start + i]) : made;
}
