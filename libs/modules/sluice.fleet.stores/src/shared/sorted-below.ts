/** Helpers for sorted maps from stores. */

/** Returns the entries whose key begins with a prefix, sorted by key. */
export function sortedBelow(
  pairs: readonly (readonly [string, string])[],
  prefix: string,
): ReadonlyMap<string, string> {
  const found = pairs.filter(([key]) => key.startsWith(prefix));
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
