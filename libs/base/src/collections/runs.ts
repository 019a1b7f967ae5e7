/** Expresses the difference of two lists as short runs, so that two distant changes don't include the elements between them. */
import { lowerBound } from './lower-bound.ts';

/** Elements that differ, between elements that both lists contain in the same order. */
export interface ChangedRun {
  /** Index of the first old element. */
  readonly start: number;
  readonly removed: number;
  /** Index of the first new element. */
  readonly at: number;
  readonly inserted: number;
}

/**
 * Returns the runs that differ, in order, comparing elements by identity. Keeps as many elements in place as possible, so an element that
 * moves is one removal and one insertion. For n elements that keep their order, the cost is O(n).
 */
export function changedRuns(before: readonly unknown[], after: readonly unknown[]): ChangedRun[] {
  const short = shortRuns(before, after);
  if (short !== null) return short;
  const indexes = new Map<unknown, number>();
  for (let i = before.length - 1; i >= 0; i--) indexes.set(before[i], i);
  const runs: ChangedRun[] = [];
  let [start, at] = [0, 0];
  const close = (end: number, endAfter: number): void => {
    if (end > start || endAfter > at) runs.push({ start, removed: end - start, at, inserted: endAfter - at });
  };
  for (const j of longestIncreasing(after, indexes)) {
    const i = indexes.get(after[j]) ?? 0;
    close(i, j);
    [start, at] = [i + 1, j + 1];
  }
  close(before.length, after.length);
  return runs;
}

/** Maximum number of old and new elements of a run that {@link shortRuns} finds. */
const maxShort = 16;

/** Compares the lists in order, without a table of all elements. Returns `null` if elements move, or if a run is longer. */
function shortRuns(before: readonly unknown[], after: readonly unknown[]): ChangedRun[] | null {
  const runs: ChangedRun[] = [];
  const [removed, inserted] = [new Set<unknown>(), new Set<unknown>()];
  for (let i = 0, j = 0; i < before.length || j < after.length; i++, j++) {
    if (i < before.length && j < after.length && before[i] === after[j]) continue;
    const run = shortRun(before, after, i, j);
    if (run === null) return null;
    for (const end = i + run.removed; i < end; i++) removed.add(before[i]);
    for (const end = j + run.inserted; j < end; j++) inserted.add(after[j]);
    runs.push(run);
  }
  for (const element of inserted) if (removed.has(element)) return null;
  return runs;
}

/** Finds the first pair of equal elements at or after two positions. The ends of both lists count as equal. */
function shortRun(before: readonly unknown[], after: readonly unknown[], start: number, at: number): ChangedRun | null {
  for (let length = 1; length <= maxShort; length++) {
    for (let removed = 0; removed <= length; removed++) {
      const inserted = length - removed;
      const [i, j] = [start + removed, at + inserted];
      if (i > before.length || j > after.length) continue;
      const [areOver, isOver] = [i === before.length && j === after.length, i === before.length || j === after.length];
      if (areOver || (!isOver && before[i] === after[j])) return { start, removed, at, inserted };
    }
  }
  return null;
}

/** Returns the positions of the longest selection of elements whose indexes increase. */
function longestIncreasing(elements: readonly unknown[], indexes: ReadonlyMap<unknown, number>): number[] {
  /** For each length, the position at which the selection with the lowest last index ends, and this index. */
  const ends: number[] = [];
  const lasts: number[] = [];
  const previous = new Int32Array(elements.length);
  for (const [position, element] of elements.entries()) {
    const index = indexes.get(element);
    if (index === undefined) continue;
    let low = lasts.length;
    if (low > 0 && (lasts[low - 1] ?? 0) >= index) low = lowerBound(lasts, (last) => last - index);
    previous[position] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = position;
    lasts[low] = index;
  }
  const found: number[] = [];
  for (let position = ends.at(-1) ?? -1; position >= 0; position = previous[position] ?? -1) found.push(position);
  return found.reverse();
}
