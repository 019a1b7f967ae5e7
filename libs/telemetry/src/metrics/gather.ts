/** Gathers metrics from all threads. Each thread replies with its metrics, and the control thread sums them up. */
import { randomUUID } from 'node:crypto';
import { token, type Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from '@sluice/threads';
import type { Metrics, MetricsSnapshot } from './families.ts';
import { lastingMetrics, mergeMetrics } from './merge.ts';

/** Service token for a thread's metrics: `context.use(metricsToken)`. */
export const metricsToken: Token<Metrics> = token<Metrics>('metrics');

/** A thread's reply to a metrics request. Thread numbers are reused, but `instance` is unique. */
interface ThreadMetrics {
  readonly instance: string;
  readonly metrics: MetricsSnapshot;
}

const ofThread: Question<null, ThreadMetrics> = question('metrics.thread');
const ofAll: Question<null, MetricsSnapshot> = question('metrics.all');

/**
 * Registers the handler that replies with the thread's metrics. The control thread also handles requests for the totals. Called during
 * thread setup.
 */
export function shareMetrics(metrics: Metrics, bus: ThreadBus): void {
  let instance: string | null = null;
  bus.onGather(ofThread, () => ({ instance: (instance ??= randomUUID()), metrics: metrics.snapshot() }));
  if (bus.thread !== 0) return;
  const gatherer = new Gatherer(bus);
  bus.onAsk(ofAll, () => gatherer.gather());
}

/** Returns the combined metrics of all threads. Can be called from any thread. */
export function gatherMetrics(bus: ThreadBus): Promise<MetricsSnapshot> {
  return bus.ask(ofAll, null);
}

/**
 * Runs one collection at a time. Concurrent requests share the result.
 *
 * Keeps the final counts of terminated threads, so that counters never decrease.
 */
class Gatherer {
  readonly #bus: ThreadBus;
  readonly #last = new Map<string, MetricsSnapshot>();
  #departed: MetricsSnapshot = [];
  #under: Promise<MetricsSnapshot> | null = null;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  gather(): Promise<MetricsSnapshot> {
    this.#under ??= this.#run().finally(() => {
      this.#under = null;
    });
    return this.#under;
  }

  async #run(): Promise<MetricsSnapshot> {
    const responses = await this.#bus.gather(ofThread, null);
    const alive = new Set(responses.map(({ instance }) => instance));
    for (const [instance, metrics] of this.#last) {
      if (alive.has(instance)) continue;
      this.#last.delete(instance);
      this.#departed = mergeMetrics([this.#departed, lastingMetrics(metrics)]);
    }
    for (const { instance, metrics } of responses) this.#last.set(instance, metrics);
    return mergeMetrics([...responses.map(({ metrics }) => metrics), this.#departed]);
  }
}
