/**
 * Stable sort by a "comes before" relation that need not be transitive. Most routes and policies are incomparable, so the result depends on
 * the algorithm. This module uses the same algorithm as Caddy: it sorts runs of 20 elements by insertion, and merges the runs in pairs. See
 * P.-S. Kim and A. Kutzner: "Stable Minimum Storage Merging by Symmetric Comparisons", ESA 2004, LNCS 3221, pages 714 to 723. Unlike the
 * original, this implementation copies subarrays instead of rotating elements in place. It performs the same comparisons in the same order.
 */
import { itemAt } from '@sluice/base';

/** Reports whether a later item must be moved before an earlier item. */
export type ComesBefore<T> = (later: T, earlier: T) => boolean;

const runLength = 20;

/** Sorts items. Incomparable items keep their order. */
export function stableSort<T>(items: readonly T[], before: ComesBefore<T>): T[] {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += runLength) runs.push(insertEach(items.slice(at, at + runLength), before));
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(merge(runs[at] ?? [], runs[at + 1] ?? [], before));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Insertion sort. Moves each item toward the front, past all items that must come after it. */
function insertEach<T>(items: readonly T[], before: ComesBefore<T>): T[] {
  const sorted: T[] = [];
  for (const item of items) {
    const stays = sorted.findLastIndex((each) => !before(item, each));
    sorted.splice(stays + 1, 0, item);
  }
  return sorted;
}

/**
 * Merges two runs with the SymMerge algorithm. The first half of the result contains the first items of each run. A binary search
 * determines the number of items from each run. Each additional item of the first run replaces an item of the second run, and the search
 * compares these two items. Both halves are then merged recursively. A run of one item is inserted by binary search.
 */
function merge<T>(first: readonly T[], second: readonly T[], before: ComesBefore<T>): T[] {
  const [left, right] = [first[0], second[0]];
  if (left === undefined || right === undefined) return [...first, ...second];
  if (first.length === 1) {
    const at = bisect(0, second.length, (index) => before(itemAt(second, index), left));
    return [...second.slice(0, at), left, ...second.slice(at)];
  }
  if (second.length === 1) {
    const at = bisect(0, first.length, (index) => !before(right, itemAt(first, index)));
    return [...first.slice(0, at), right, ...first.slice(at)];
  }
  const half = (first.length + second.length) >> 1;
  const [min, max] = first.length > half ? [half - second.length, half] : [0, first.length];
  const taken = bisect(min, max, (index) => !before(itemAt(second, half - 1 - index), itemAt(first, index)));
  return [
    ...merge(first.slice(0, taken), second.slice(0, half - taken), before),
    ...merge(first.slice(taken), second.slice(half - taken), before),
  ];
}

/** Returns the smallest number at or above `min` for which the condition fails. Returns `max` if the condition never fails. */
function bisect(min: number, max: number, holds: (index: number) => boolean): number {
  let [low, high] = [min, max];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
