/** The order of automation policies: the most specific first, as the first that has a name is used for it. */
import { stableSort } from './stable-sort.ts';
import { covers } from './tls-subjects.ts';

/** What has names; none for all names. */
export interface Named {
  readonly names: readonly string[];
}

/** Whether all these names are among others, or below their wildcards; no names stand for all names. */
export function coversAll(others: readonly string[], names: readonly string[]): boolean {
  if (others.length === 0) return true;
  if (names.length === 0) return false;
  return names.every((name) => others.some((other) => covers(other, name)));
}

/** Whether a policy that was written later comes first: its names are the other's too, or it has more of them. */
function overtakes(later: Named, earlier: Named): boolean {
  if (coversAll(earlier.names, later.names)) return true;
  if (coversAll(later.names, earlier.names)) return false;
  return later.names.length > earlier.names.length;
}

/** Sorts policies; those that have nothing to do with each other stay in their order. */
export function inOrder<T extends Named>(entries: readonly T[]): T[] {
  return stableSort(entries, overtakes);
}
