/** Judges whether a measured value grows. */

import { median } from '../../statistics.ts';

/** One value, and the time at which it was measured, in minutes. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

/** Returns the slope per minute, by linear regression (least squares). Returns 0 for fewer than two points. */
export function slopePerMinute(points: readonly Point[]): number {
  const mean = (pick: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const middle = mean(({ minute }) => minute);
  const level = mean(({ value }) => value);
  let products = 0;
  let squares = 0;
  for (const { minute, value } of points) {
    products += (minute - middle) * (value - level);
    squares += (minute - middle) ** 2;
  }
  return squares === 0 ? 0 : products / squares;
}

/** Returns the median of the last quarter of the points, divided by the median of the first quarter. Returns 1 if there are no points. */
export function growthRatio(points: readonly Point[]): number {
  if (points.length === 0) return 1;
  const size = Math.ceil(points.length / 4);
  const level = (some: readonly Point[]): number => median(some.map(({ value }) => value));
  return level(points.slice(-size)) / level(points.slice(0, size));
}
