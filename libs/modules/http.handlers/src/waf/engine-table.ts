/** WAF engines and counters of one thread, keyed by rule set. */
import type { Metrics } from '@sluice/telemetry';
import { question, type Question, type ThreadBus } from '@sluice/threads';
import type { EngineProcess } from './engine-process.ts';
import { WafStats, type WafCounts } from './stats.ts';

const countsQuestion: Question<null, [string, WafCounts][]> = question('http.handlers.waf counts');

export class EngineTable {
  readonly processes = new Map<string, EngineProcess>();
  readonly #stats = new Map<string, { readonly stats: WafStats; handlers: number }>();
  #bus: ThreadBus | undefined;

  /** Returns the counters of a rule set, shared by all of its handlers. Each caller must call {@link release}. */
  acquire(key: string, metrics: Metrics | undefined): WafStats {
    let entry = this.#stats.get(key);
    if (entry === undefined) this.#stats.set(key, (entry = { stats: new WafStats(metrics), handlers: 0 }));
    entry.handlers++;
    return entry.stats;
  }

  release(key: string): void {
    const entry = this.#stats.get(key);
    if (entry !== undefined && --entry.handlers === 0) this.#stats.delete(key);
  }

  get inFlight(): number {
    return [...this.#stats.values()].reduce((sum, { stats }) => sum + stats.inFlight, 0);
  }

  /** Serves counter requests from other threads. Returns a function that stops serving them. */
  share(bus: ThreadBus): () => void {
    this.#bus = bus;
    return bus.onGather(countsQuestion, () => this.#own());
  }

  /** Returns the WAF counters of all threads, keyed by rule set. Call only in the control thread. */
  async counts(): Promise<Map<string, WafCounts[]>> {
    const threads = (await this.#bus?.gather(countsQuestion, null)) ?? [this.#own()];
    const byKey = new Map<string, WafCounts[]>();
    for (const [key, counts] of threads.flat()) byKey.set(key, [...(byKey.get(key) ?? []), counts]);
    return byKey;
  }

  #own(): [string, WafCounts][] {
    return [...this.#stats].map(([key, { stats }]) => [key, stats.snapshot()]);
  }
}
