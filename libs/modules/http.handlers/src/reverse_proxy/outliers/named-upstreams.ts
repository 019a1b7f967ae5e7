/**
 * Addresses that dynamic sources currently return. Only traffic threads query the sources. The control thread collects the addresses,
 * because it compares success rates and ends ejections.
 */
import { question, threadBusToken } from '@sluice/threads';
import type { Context } from '@sluice/registry';
import type { OutlierPool } from './outlier.ts';

const namedUpstreams = question<string, readonly string[]>('http.handlers.reverse_proxy.named-upstreams');

/** Outlier detection pools of discovered upstreams in a thread. There is one instance per registry. */
export class NamedUpstreams {
  /** Pools by key, including pools of configurations that are being prepared or were replaced. */
  readonly #pools = new Map<string, Set<OutlierPool>>();

  /** Adds a pool of a traffic thread. The traffic thread keeps its members up to date. */
  join(key: string, pool: OutlierPool, context: Context): void {
    const pools = this.#pools.get(key) ?? new Set();
    pools.add(pool);
    this.#pools.set(key, pools);
    const stop = context.find(threadBusToken)?.onGather(namedUpstreams, (wanted) => this.#addressesOf(wanted));
    context.onDispose(() => {
      stop?.();
      pools.delete(pool);
      if (pools.size === 0) this.#pools.delete(key);
    });
  }

  /**
   * Returns a function that updates the members of a pool in the control thread. Returns `null` if this thread keeps the members up to date
   * itself.
   */
  updater(
    key: string,
    pool: OutlierPool,
    add: (address: string) => unknown,
    context: Context,
  ): (() => Promise<void>) | null {
    const bus = context.find(threadBusToken);
    if (bus === undefined || context.roles.traffic) return null;
    return async () => {
      const named = new Set((await bus.gather(namedUpstreams, key)).flat());
      for (const { address } of [...pool.members]) if (!named.has(address)) pool.remove(address);
      for (const address of named) add(address);
    };
  }

  #addressesOf(key: string): readonly string[] {
    const pools = this.#pools.get(key) ?? [];
    return [...new Set([...pools].flatMap(({ members }) => members.map(({ address }) => address)))];
  }
}
