/**
 * Sorts by a "comes before" that need not be transitive: of routes and policies most can't be compared, so that the way of
 * sorting decides what comes out. The reference's order is that of runs of 20 which are sorted by insertion, and merged two by two
 * as P.-S. Kim and A. Kutzner describe it: "Stable Minimum Storage Merging by Symmetric Comparisons", ESA 2004, LNCS 3221,
 * pages 714 to 723. They rotate in place; here the parts are copied, which compares the same items in the same order.
 */
import { itemAt } from '@sluice/base';

/** Whether one comes before another that was written before it. */
export type ComesBefore<T> = (later: T, earlier: T) => boolean;

const runLength = 20;

/** Sorts; what can't be compared stays as written. */
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

/** Puts each in front of those it comes before, up to the first that it doesn't. */
function insertEach<T>(items: readonly T[], before: ComesBefore<T>): T[] {
  const sorted: T[] = [];
  for (const item of items) {
    const stays = sorted.findLastIndex((each) => !before(item, each));
    sorted.splice(stays + 1, 0, item);
  }
  return sorted;
}

/**
 * SymMerge: the first half of the outcome takes some items of the first run, and as many of the second as fill it. How many of
 * the first is found by bisection, as each one taken more leaves one of the second out, with which it is compared. Both halves
 * are then merged likewise. A run of one item has its place found by bisection at once.
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
  const [least, most] = first.length > half ? [half - second.length, half] : [0, first.length];
  const taken = bisect(least, most, (index) => !before(itemAt(second, half - 1 - index), itemAt(first, index)));
  return [
    ...merge(first.slice(0, taken), second.slice(0, half - taken), before),
    ...merge(first.slice(taken), second.slice(half - taken), before),
  ];
}

/** The first number from `least` on for which something no longer holds; `most` if it always does. */
function bisect(least: number, most: number, holds: (index: number) => boolean): number {
  let [low, high] = [least, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
