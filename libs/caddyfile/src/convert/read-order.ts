/**
 * Restores the order in which the adapter parsed a file. The adapter numbers route groups consecutively, and each block of routes uses some
 * of these numbers. This module sorts the lines so that the group numbers match the document.
 */
import type { Line, Numbers } from '../inverse/written.ts';

/** A line or block that uses route group numbers. */
interface Taking {
  readonly numbers?: Numbers;
}

/** Sorts lines by group number, starting from a given number. Lines without groups keep their positions. */
export function inReadOrder<T extends Taking>(all: readonly T[], from: number | null): readonly T[] {
  const taking = all.filter(({ numbers }) => (numbers?.count ?? 0) > 0);
  const shown = taking.filter(({ numbers }) => numbers?.first != null).sort((a, b) => firstOf(a) - firstOf(b));
  const hidden = taking.filter(({ numbers }) => numbers?.first == null);
  const order: T[] = [];
  let next = from ?? leastFrom(shown, hidden);
  for (const each of shown) {
    for (let gap = firstOf(each) - next; gap > 0; gap = firstOf(each) - next) {
      const at = hidden.findIndex(({ numbers }) => (numbers?.count ?? 0) <= gap);
      const [filler] = at < 0 ? [] : hidden.splice(at, 1);
      if (filler === undefined) break;
      order.push(filler);
      next += countOf(filler);
    }
    order.push(each);
    next = firstOf(each) + countOf(each);
  }
  order.push(...hidden);
  let place = 0;
  return all.map((each) => (countOf(each) > 0 ? (order[place++] ?? each) : each));
}

/**
 * Returns the first group number in a list. Lines with unknown numbers fill the gaps between the known numbers. Lines that don't fit into
 * the gaps are assumed to come before the known numbers.
 */
function leastFrom(shown: readonly Taking[], hidden: readonly Taking[]): number {
  const [first] = shown;
  if (first === undefined) return 0;
  let between = 0;
  for (const [at, each] of shown.entries()) {
    const following = shown[at + 1];
    if (following !== undefined) between += firstOf(following) - firstOf(each) - countOf(each);
  }
  const spare = hidden.reduce((sum, each) => sum + countOf(each), 0) - between;
  return firstOf(first) - Math.max(0, spare);
}

function firstOf({ numbers }: Taking): number {
  return numbers?.first ?? 0;
}

function countOf({ numbers }: Taking): number {
  return numbers?.count ?? 0;
}

/** Returns the first group number and the number of groups that several lines use together. */
export function numbersOf(lines: readonly Line[]): Numbers {
  const count = lines.reduce((sum, each) => sum + countOf(each), 0);
  const shown = lines.filter(({ numbers }) => numbers?.first != null);
  const [first] = shown.toSorted((a, b) => firstOf(a) - firstOf(b));
  if (first === undefined) return { first: null, count };
  const hidden = lines.filter(({ numbers }) => numbers?.first == null);
  return {
    first: leastFrom(
      shown.toSorted((a, b) => firstOf(a) - firstOf(b)),
      hidden,
    ),
    count,
  };
}
