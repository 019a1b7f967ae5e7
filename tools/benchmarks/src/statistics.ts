/** Statistics for small numbers of noisy measurements. */

export function median(measurements: readonly number[]): number {
  const sorted = measurements.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Returns a percentile of the measurements: the given fraction of them lies below this value. */
export function percentile(measurements: readonly number[], share: number): number {
  const sorted = measurements.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A point estimate and its lower and upper bounds. */
export interface Interval {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Divides `ours` by `theirs` for each pair. Returns the median, minimum and maximum ratio. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): Interval {
  const all = ours.map((measurement, i) => measurement / (theirs[i] ?? Number.NaN));
  return { low: Math.min(...all), middle: median(all), high: Math.max(...all) };
}

/**
 * Estimates the typical ratio of pairs with a confidence interval. The estimate is the Hodges-Lehmann estimator of the logarithms, with
 * Wilcoxon's exact signed-rank interval. It assumes only that noise affects both values of a pair equally, and it is robust against
 * outliers. Fewer than six pairs are too few for an interval: `low` is 0 and `high` is infinite.
 */
export function typicalRatio(ratios: readonly number[], confidence = 0.95): Interval {
  const logarithms = ratios.map((ratio) => Math.log(ratio));
  const means: number[] = [];
  for (const [i, one] of logarithms.entries()) for (const other of logarithms.slice(i)) means.push((one + other) / 2);
  means.sort((a, b) => a - b);
  const cut = ranksToCut(ratios.length, (1 - confidence) / 2);
  return {
    low: cut === 0 ? 0 : Math.exp(means[cut - 1] ?? Number.NaN),
    middle: Math.exp(median(means)),
    high: cut === 0 ? Number.POSITIVE_INFINITY : Math.exp(means.at(-cut) ?? Number.NaN),
  };
}

/** Returns the index of the sorted mean that bounds the interval, counted from each end: the largest k with P(T < k) <= tail. */
function ranksToCut(pairs: number, tail: number): number {
  // Number of rank subsets for each sum of ranks, out of the 2^n possible subsets.
  let ways = [1];
  for (let rank = 1; rank <= pairs; rank++) {
    const next = Array.from({ length: ways.length + rank }, () => 0);
    for (const [sum, count] of ways.entries()) {
      next[sum] = (next[sum] ?? 0) + count;
      next[sum + rank] = (next[sum + rank] ?? 0) + count;
    }
    ways = next;
  }
  let below = 0;
  for (const [sum, count] of ways.entries()) {
    below += count / 2 ** pairs;
    if (below > tail) return sum;
  }
  return 0;
}

/** Result of comparing two commits. */
export type Verdict = 'faster' | 'slower' | 'no difference found';

/** Minimum relevant difference. Smaller differences are ignored even if they are significant, because code placement alone can cause them. */
const relevant = 0.005;

/** Classifies a performance ratio. A higher ratio is better. */
export function verdictOn({ low, high }: Interval): Verdict {
  if (low > 1 + relevant) return 'faster';
  return high < 1 - relevant ? 'slower' : 'no difference found';
}
