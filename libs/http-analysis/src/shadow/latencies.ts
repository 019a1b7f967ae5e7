/** Compares the response times of two configurations, in total and for each kind of request. */
import type { Latency } from './types.ts';

/**
 * Thresholds for a slower response. The new median must exceed `slowerFactor` times the previous median by at least `slowerBy`
 * milliseconds.
 */
const slowerFactor = 1.5;
const slowerBy = 20;
/** Significance level: the maximum probability that, by chance, the proposed configuration is the slowest as often as observed. */
const level = 0.001;
/** Probability that one of three equal runs is the slowest. */
const byChance = 1 / 3;

interface Times {
  readonly before: number[];
  readonly after: number[];
  /** Number of requests for which the proposed configuration was slower than both runs of the active configuration. */
  slowest: number;
}

/** A kind of request that became slower, with median response times in milliseconds. */
export interface Slower {
  readonly kind: string;
  readonly before: number;
  readonly after: number;
}

export class Latencies {
  readonly #kinds = new Map<string, Times>();

  add(kind: string, before: readonly number[], after: number): void {
    let times = this.#kinds.get(kind);
    if (times === undefined) this.#kinds.set(kind, (times = { before: [], after: [], slowest: 0 }));
    times.before.push(...before);
    times.after.push(after);
    if (after > Math.max(...before)) times.slowest++;
  }

  report(): { readonly before: Latency; readonly after: Latency } {
    const all = [...this.#kinds.values()];
    return {
      before: latencyOf(all.flatMap((each) => each.before)),
      after: latencyOf(all.flatMap((each) => each.after)),
    };
  }

  /**
   * Returns the kinds of requests that became slower. For these kinds, the median is clearly higher. The proposed configuration is also the
   * slowest of the three runs more often than by chance.
   */
  slower(): Slower[] {
    return [...this.#kinds].flatMap(([kind, times]) => {
      const before = latencyOf(times.before).p50;
      const { p50: after, count } = latencyOf(times.after);
      const isSlower = after > before * slowerFactor + slowerBy && chanceOf(times.slowest, count) < level;
      return isSlower ? [{ kind, before, after }] : [];
    });
  }
}

/** Returns the probability of at least `hits` successes in `of` trials (binomial distribution). */
function chanceOf(hits: number, of: number): number {
  let term = (1 - byChance) ** of;
  let sum = hits === 0 ? term : 0;
  for (let k = 1; k <= of; k++) {
    term *= ((of - k + 1) / k) * (byChance / (1 - byChance));
    if (k >= hits) sum += term;
  }
  return sum;
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
