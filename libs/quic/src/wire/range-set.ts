/** A set of integers, stored as disjoint ranges. Operations at the upper end are most frequent and take constant time. */
import { numberAt } from '@sluice/base';

export class RangeSet {
  /** Ranges as alternating inclusive bounds `low, high`, in ascending order. */
  readonly #bounds: number[] = [];
  readonly #maxRanges: number;

  /** If there are more than `maxRanges` ranges, the lowest range is dropped. */
  constructor(maxRanges: number = Number.POSITIVE_INFINITY) {
    this.#maxRanges = maxRanges;
  }

  get size(): number {
    return this.#bounds.length / 2;
  }

  /** Largest element; -1 if the set is empty. */
  get max(): number {
    return this.#bounds.at(-1) ?? -1;
  }

  /** Smallest element; -1 if the set is empty. */
  get min(): number {
    return this.#bounds[0] ?? -1;
  }

  /** Lower bound of a range. Index 0 is the lowest range. */
  low(index: number): number {
    return numberAt(this.#bounds, 2 * index);
  }

  /** Inclusive upper bound of a range. */
  high(index: number): number {
    return numberAt(this.#bounds, 2 * index + 1);
  }

  /** Adds the inclusive range `low..high`. Returns false if the set already contained the entire range. */
  add(low: number, high: number = low): boolean {
    const bounds = this.#bounds;
    let i = bounds.length;
    // Find the highest range that isn't completely above the new range.
    while (i > 0 && numberAt(bounds, i - 2) > high + 1) i -= 2;
    if (i === 0 || numberAt(bounds, i - 1) < low - 1) {
      bounds.splice(i, 0, low, high);
      if (bounds.length > 2 * this.#maxRanges) bounds.splice(0, 2);
      return true;
    }
    if (numberAt(bounds, i - 2) <= low && numberAt(bounds, i - 1) >= high) return false;
    if (numberAt(bounds, i - 1) < high) bounds[i - 1] = high;
    // Merge lower ranges that touch or overlap the new range.
    let first = i - 2;
    while (first > 0 && numberAt(bounds, first - 1) >= low - 1) first -= 2;
    const merged = Math.min(low, numberAt(bounds, first));
    bounds.splice(first, i - 2 - first);
    bounds[first] = merged;
    return true;
  }

  has(value: number): boolean {
    const bounds = this.#bounds;
    for (let i = bounds.length; i > 0; i -= 2) {
      if (value > numberAt(bounds, i - 1)) return false;
      if (value >= numberAt(bounds, i - 2)) return true;
    }
    return false;
  }

  /** Removes the inclusive range `low..high`. */
  remove(low: number, high: number): void {
    const bounds = this.#bounds;
    for (let i = bounds.length - 2; i >= 0; i -= 2) {
      const from = numberAt(bounds, i);
      const to = numberAt(bounds, i + 1);
      if (to < low) return;
      if (from > high) continue;
      if (from < low && to > high) {
        bounds.splice(i, 2, from, low - 1, high + 1, to);
        return;
      }
      if (from < low) bounds[i + 1] = low - 1;
      else if (to > high) bounds[i] = high + 1;
      else bounds.splice(i, 2);
    }
  }
}
