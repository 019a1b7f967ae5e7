/**
 * Expresses the difference between two lists as short runs. Two distant changes form two runs, which exclude the unchanged elements between
 * them.
 */
import { lowerBound } from './lower-bound.ts';

/** A run of elements that differ. The elements around a run occur in both lists in the same order. */
export interface ChangedRun {
  /** Index of the run in the old list. */
  readonly start: number;
  readonly removed: number;
  /** Index of the run in the new list. */
  readonly at: number;
  readonly inserted: number;
}

/**
 * Returns the runs that differ between two lists, in order. Compares elements by identity. Keeps as many elements in place as possible, so
 * a moved element counts as one removal and one insertion. If the order of the n elements is unchanged, the cost is O(n).
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

/** Maximum number of old and new elements in a run that {@link shortRuns} can find. */
const maxShort = 16;

/** Compares two lists in order, without building an index of all elements. Returns `null` if elements have moved or a run is too long. */
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

/** Finds the first pair of equal elements at or after the two given positions. The end positions of the two lists also count as a pair. */
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

/** Returns the positions of the longest subsequence whose indexes increase. */
function longestIncreasing(elements: readonly unknown[], indexes: ReadonlyMap<unknown, number>): number[] {
  /**
   * For each subsequence length, `ends` contains the position of the last element, and `lasts` contains its index. Only the subsequence
   * with the lowest last index is kept.
   */
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
