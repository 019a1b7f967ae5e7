/** Response times of two configurations, in total and by kind of request. */
import type { Latency } from './types.ts';

/** Minimum number of requests of a kind to compare their latency. */
const minCount = 8;
/** Factor and time in milliseconds by which the median must exceed the previous one. */
const slowerFactor = 1.5;
const slowerBy = 20;

interface Times {
  readonly before: number[];
  readonly after: number[];
}

/** Kind of requests that became slower, with medians in milliseconds. */
export interface Slower {
  readonly kind: string;
  readonly before: number;
  readonly after: number;
}

export class Latencies {
  readonly #kinds = new Map<string, Times>();

  add(kind: string, before: readonly number[], after: number): void {
    let times = this.#kinds.get(kind);
    if (times === undefined) this.#kinds.set(kind, (times = { before: [], after: [] }));
    times.before.push(...before);
    times.after.push(after);
  }

  report(): { readonly before: Latency; readonly after: Latency } {
    const all = [...this.#kinds.values()];
    return {
      before: latencyOf(all.flatMap((each) => each.before)),
      after: latencyOf(all.flatMap((each) => each.after)),
    };
  }

  /** Returns the kinds of requests whose median is clearly higher. */
  slower(): Slower[] {
    return [...this.#kinds].flatMap(([kind, times]) => {
      const before = latencyOf(times.before).p50;
      const { p50: after, count } = latencyOf(times.after);
      return count >= minCount && after > before * slowerFactor + slowerBy ? [{ kind, before, after }] : [];
    });
  }
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
