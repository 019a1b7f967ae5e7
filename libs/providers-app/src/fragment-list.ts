/** Fragments of one provider in the order of their routes. */
import { ChunkedList, compareText, itemAt, lowerBound } from '@sluice/base';
import type { Fragment } from './contract.ts';

export type KeyedFragment = readonly [key: string, fragment: Fragment];

/** From this share of changed fragments on, sorting all fragments is faster. */
const manyChanges = 1 / 8;

/** Compares positions: by rank, and by key if ranks are equal. */
export function compareFragments([key, fragment]: KeyedFragment, [otherKey, other]: KeyedFragment): number {
  return compareText(fragment.rank ?? key, other.rank ?? otherKey) || compareText(key, otherKey);
}

export function sortedFragments(fragments: Iterable<KeyedFragment>): ChunkedList<KeyedFragment> {
  return ChunkedList.of([...fragments].sort(compareFragments));
}

/** An entry to remove from a list, an entry to add, or both. */
export interface FragmentReplacement {
  readonly old: KeyedFragment | null;
  readonly made: KeyedFragment | null;
}

/** Returns a list with replaced entries. The cost is proportional to the number of replacements. */
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
    if (old !== null) changed = changed.replace(positionOf(changed, old), 1, []);
    if (made !== null) changed = changed.replace(positionOf(changed, made), 0, [made]);
  }
  return changed;
}

/** Returns the number of entries before an entry. */
function positionOf({ chunks }: ChunkedList<KeyedFragment>, entry: KeyedFragment): number {
  let position = 0;
  for (const chunk of chunks) {
    if (compareFragments(itemAt(chunk, chunk.length - 1), entry) < 0) position += chunk.length;
    else return position + lowerBound(chunk, (each) => compareFragments(each, entry));
  }
  return position;
}
