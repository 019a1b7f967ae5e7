/** Fragments of one provider, in the order of their routes. */
import { ChunkedList, compareText } from '@sluice/base';
import type { Fragment } from './contract.ts';

export type KeyedFragment = readonly [key: string, fragment: Fragment];

/** If a larger fraction of the fragments has changed, sorting all fragments is faster. */
const manyChanges = 1 / 8;

/** Compares the positions of two fragments by rank. Fragments with equal ranks are compared by key. */
export function compareFragments([key, fragment]: KeyedFragment, [otherKey, other]: KeyedFragment): number {
  return compareText(fragment.rank ?? key, other.rank ?? otherKey) || compareText(key, otherKey);
}

export function sortedFragments(fragments: Iterable<KeyedFragment>): ChunkedList<KeyedFragment> {
  return ChunkedList.of([...fragments].sort(compareFragments));
}

/** Replacement of a list entry: an entry to remove, an entry to add, or both. */
export interface FragmentReplacement {
  readonly old: KeyedFragment | null;
  readonly made: KeyedFragment | null;
}

/** Returns a copy of the list with replaced entries. The cost is proportional to the number of replacements. */
export function replaceFragments(
  list: ChunkedList<KeyedFragment>,
  replacements: readonly FragmentReplacement[],
): ChunkedList<KeyedFragment> {
  if (replacements.length > list.length * manyChanges) {
    const removed = new Set(replacements.map(({ old }) => old?.[0]));
    const made = replacements.map((each) => each.made).filter((each) => each !== null);
    return sortedFragments([...[...list].filter(([key]) => !removed.has(key)), ...made]);
  }
  let changed = list;
  for (const { old, made } of replacements) {
    const isInPlace = old !== null && made !== null && compareFragments(old, made) === 0;
    if (old !== null) changed = changed.replace(positionOf(changed, old), 1, isInPlace ? [made] : []);
    if (made !== null && !isInPlace) changed = changed.replace(positionOf(changed, made), 0, [made]);
  }
  return changed;
}

function positionOf(list: ChunkedList<KeyedFragment>, entry: KeyedFragment): number {
  return list.lowerBound((each) => compareFragments(each, entry));
}
