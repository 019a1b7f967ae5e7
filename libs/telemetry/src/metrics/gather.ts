/** Collects the metrics of all threads. Each thread responds with its own metrics, and the control thread sums them up. */
import { randomUUID } from 'node:crypto';
import { token, type Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from '@sluice/threads';
import type { Metrics, MetricsSnapshot } from './families.ts';
import { lastingMetrics, mergeMetrics } from './merge.ts';

/** The metrics of a thread: `context.use(metricsToken)`. */
export const metricsToken: Token<Metrics> = token<Metrics>('metrics');

/** Response of a thread. Thread numbers are reused; `instance` is unique. */
interface ThreadMetrics {
  readonly instance: string;
  readonly metrics: MetricsSnapshot;
}

const ofThread: Question<null, ThreadMetrics> = question('metrics.thread');
const ofAll: Question<null, MetricsSnapshot> = question('metrics.all');

/** Makes a thread respond with its metrics, and the control thread also with the total. Called during thread setup. */
export function shareMetrics(metrics: Metrics, bus: ThreadBus): void {
  let instance: string | null = null;
  bus.onGather(ofThread, () => ({ instance: (instance ??= randomUUID()), metrics: metrics.snapshot() }));
  if (bus.thread !== 0) return;
  const gatherer = new Gatherer(bus);
  bus.onAsk(ofAll, () => gatherer.gather());
}

/** Returns the combined metrics of all threads. Works in any thread. */
export function gatherMetrics(bus: ThreadBus): Promise<MetricsSnapshot> {
  return bus.ask(ofAll, null);
}

/**
 * Runs one collection at a time; concurrent requests share the result.
 *
 * Keeps the last counts of a dead thread, so that counters never decrease.
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
