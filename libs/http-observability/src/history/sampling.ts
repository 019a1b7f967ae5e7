/** Timer that samples statistics for the history. The first tick loads the sampling code. */
import { guarded, isObject, own, taskOf, unawaited, type Json } from '@sluice/base';
import { upstreamSamplers } from '@sluice/http-app';
import { tallyStoreToken, threadBusToken } from '@sluice/threads';
import type { Registry, RunningServer } from '@sluice/registry';
import type { StatsHistory } from './stats-history.ts';

/** Interval between samples, in milliseconds. */
const sampleEvery = 10_000;

const task = taskOf('stats');

/** Samples a server's statistics at multiples of {@link sampleEvery}. Active as long as the server's admin endpoint serves the dashboard. */
export class Sampling {
  readonly #server: RunningServer;
  readonly #registry: Registry;
  #history: Promise<StatsHistory> | null = null;

  constructor(server: RunningServer, registry: Registry) {
    this.#server = server;
    this.#registry = registry;
  }

  start(): void {
    scheduleNext(new WeakRef(this));
  }

  /** Returns the history, or `null` if sampling is inactive. */
  async history(): Promise<StatsHistory | null> {
    const store = this.#server.service(tallyStoreToken);
    if (store === undefined || !servesDashboard(this.#server.effective)) return null;
    const make = async (): Promise<StatsHistory> => {
      const { StatsHistory: History } = await import('./stats-history.ts');
      return new History(store, {
        bus: this.#server.service(threadBusToken) ?? null,
        samplers: [...this.#registry.contributions(upstreamSamplers).values()],
      });
    };
    return (this.#history ??= make());
  }

  async tick(): Promise<void> {
    await (await this.history())?.sample(Date.now());
  }
}

/** The timer keeps only a weak reference, so that unused servers, for example in tests, can be garbage-collected. */
function scheduleNext(sampling: WeakRef<Sampling>): void {
  const now = Date.now();
  const next = (Math.round(now / sampleEvery) + 1) * sampleEvery;
  const tick = guarded(task, () => {
    const there = sampling.deref();
    if (there === undefined) return;
    scheduleNext(sampling);
    unawaited(task, there.tick());
  });
  setTimeout(tick, next - now).unref();
}

function servesDashboard(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  return !isObject(admin) || own(admin, 'ui') !== false;
}
