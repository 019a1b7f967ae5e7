/** Order of automation policies. The most specific policy comes first, because the first policy that matches a name takes effect. */
import { stableSort } from './stable-sort.ts';
import { covers } from './tls-subjects.ts';

/** An object with a list of certificate names, such as a policy. An empty list means all names. */
export interface Named {
  readonly names: readonly string[];
}

/** Reports whether `others` contains each of the given names, or a wildcard that covers the name. An empty list means all names. */
export function coversAll(others: readonly string[], names: readonly string[]): boolean {
  if (others.length === 0) return true;
  if (names.length === 0) return false;
  return names.every((name) => others.some((other) => covers(other, name)));
}

/**
 * Reports whether a later policy must come before an earlier one. This is the case if the earlier policy covers the later policy's names,
 * or if the later policy has more names.
 */
function overtakes(later: Named, earlier: Named): boolean {
  if (coversAll(earlier.names, later.names)) return true;
  if (coversAll(later.names, earlier.names)) return false;
  return later.names.length > earlier.names.length;
}

/** Sorts policies from most to least specific. Unrelated policies keep their order. */
export function inOrder<T extends Named>(entries: readonly T[]): T[] {
  return stableSort(entries, overtakes);
}
