/** What a few noisy measurements say. */

/** The middle of some measurements. */
export function median(measurements: readonly number[]): number {
  const sorted = measurements.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The measurement below which a share of all lies. */
export function percentile(measurements: readonly number[], share: number): number {
  const sorted = measurements.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A typical value, and the range that it lies in. */
export interface Interval {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Ours divided by theirs, pair by pair: median, least and greatest. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): Interval {
  const all = ours.map((measurement, i) => measurement / (theirs[i] ?? Number.NaN));
  return { low: Math.min(...all), middle: median(all), high: Math.max(...all) };
}

/**
 * A typical ratio of pairs, and where it lies with 95 % confidence: the Hodges-Lehmann estimate of their logarithms, with the
 * exact interval of Wilcoxon's signed ranks. It supposes nothing of the noise but that it strikes both of a pair alike; a
 * round that went wrong moves it little. Fewer than six pairs cannot say anything with that confidence: `low` is 0 then,
 * `high` infinite.
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

/** Which of the sorted means ends the interval, counted from each side: the greatest k with P(T < k) <= tail. */
function ranksToCut(pairs: number, tail: number): number {
  // How many of the 2^n sets of ranks have each sum.
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

/** What a comparison of two commits came to. */
export type Verdict = 'faster' | 'slower' | 'no difference found';

/** Differences below this share are not called differences, however certain: the placing of code alone makes as much. */
const relevant = 0.005;

/** Judges a ratio of which more is better. */
export function verdictOn({ low, high }: Interval): Verdict {
  if (low > 1 + relevant) return 'faster';
  return high < 1 - relevant ? 'slower' : 'no difference found';
}
