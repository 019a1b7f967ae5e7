/** WAF counters of one rule set in one thread. Handlers with the same rule set share them. */
import type { Metrics, Series } from '@sluice/telemetry';
import { wafBlocked, wafDuration, wafRequests, type WafResult } from './metrics.ts';

/** Upper bounds of the buckets in the inspection latency histogram, in milliseconds. */
export const latencyBounds: readonly number[] = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000];

/** Number of requests blocked by one rule in one phase. */
export interface RuleCount {
  readonly rule: number;
  readonly phase: number;
  readonly count: number;
}

/** Serialized WAF counters, as sent between threads. */
export interface WafCounts {
  readonly results: Readonly<Record<WafResult, number>>;
  readonly inFlight: number;
  readonly rules: readonly RuleCount[];
  /** Number of inspections per bucket of {@link latencyBounds}. The last element counts inspections above all bounds. */
  readonly latencies: readonly number[];
}

export class WafStats {
  readonly #metrics: Metrics | undefined;
  readonly #results: Record<WafResult, number> = { passed: 0, blocked: 0, unavailable: 0, uninspected: 0 };
  readonly #rules = new Map<string, { rule: number; phase: number; count: number }>();
  readonly #latencies: number[] = latencyBounds.map(() => 0).concat(0);
  readonly #series = new Map<WafResult, Series>();
  #duration: Series | null = null;
  #inFlight = 0;

  constructor(metrics: Metrics | undefined) {
    this.#metrics = metrics;
  }

  /** Counts a request when its inspection is complete. */
  count(result: WafResult): void {
    this.#results[result]++;
    if (this.#metrics === undefined) return;
    let series = this.#series.get(result);
    if (series === undefined) this.#series.set(result, (series = this.#metrics.family(wafRequests).with(result)));
    series.add();
  }

  /** Counts a blocked request for the WAF rule that blocked it. */
  countRule(rule: number, phase: number): void {
    const key = `${rule} ${phase}`;
    let known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, (known = { rule, phase, count: 0 }));
    known.count++;
    this.#metrics?.family(wafBlocked).with(String(rule), String(phase)).add();
  }

  enter(): void {
    this.#inFlight++;
  }

  /** Records the end of an inspection and its duration. `milliseconds` is negative if the engine did not respond. */
  leave(milliseconds: number): void {
    this.#inFlight--;
    if (milliseconds < 0) return;
    let bucket = 0;
    while (bucket < latencyBounds.length && milliseconds > (latencyBounds[bucket] as number)) bucket++;
    this.#latencies[bucket] = (this.#latencies[bucket] ?? 0) + 1;
    if (this.#metrics === undefined) return;
    this.#duration ??= this.#metrics.family(wafDuration).with();
    this.#duration.observe(milliseconds / 1000);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  snapshot(): WafCounts {
    return {
      results: { ...this.#results },
      inFlight: this.#inFlight,
      rules: [...this.#rules.values()].map((each) => ({ ...each })),
      latencies: [...this.#latencies],
    };
  }
}
