/** Order of automation policies: most specific first, because the first policy with a name is used. */
import { stableSort } from './stable-sort.ts';
import { covers } from './tls-subjects.ts';

/** Names of a policy; empty for all names. */
export interface Named {
  readonly names: readonly string[];
}

/** Reports whether all names are among the others, or below their wildcards. An empty list means all names. */
export function coversAll(others: readonly string[], names: readonly string[]): boolean {
  if (others.length === 0) return true;
  if (names.length === 0) return false;
  return names.every((name) => others.some((other) => covers(other, name)));
}

/** Reports whether a later policy comes first, because the earlier policy covers its names or because the later policy has more names. */
function overtakes(later: Named, earlier: Named): boolean {
  if (coversAll(earlier.names, later.names)) return true;
  if (coversAll(later.names, earlier.names)) return false;
  return later.names.length > earlier.names.length;
}

/** Sorts policies. Unrelated policies keep their order. */
export function inOrder<T extends Named>(entries: readonly T[]): T[] {
  return stableSort(entries, overtakes);
}
