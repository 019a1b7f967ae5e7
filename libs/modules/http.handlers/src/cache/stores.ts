/** The stores of one thread. Handlers with the same sizes and directory share one. */
import { ResourcePool, type Context } from '@sluice/registry';
import type { SharedMemory } from '@sluice/threads';
import { Flights } from './flights.ts';
import { CacheStore } from './store/cache-store.ts';
import { MemoryStore } from './store/memory-store.ts';

/** What a store is made of. */
export interface StoreSettings {
  /** Bytes. */
  readonly memory: number;
  readonly disk: { readonly path: string; readonly size: number } | null;
}

/** A store, and the requests in flight to fill it. */
export interface OpenStore {
  readonly store: CacheStore;
  readonly flights: Flights;
}

interface PooledStore extends OpenStore {
  close(): void;
}

export class Stores {
  readonly #pool = new ResourcePool<PooledStore>();

  /** Acquires a store until the module of the context is disposed of. */
  async acquire(settings: StoreSettings, shared: SharedMemory, context: Context): Promise<OpenStore> {
    const name = `cache ${settings.disk?.path ?? ''}`;
    const memory = await shared.acquire(name, settings.memory, context);
    return context.acquire(this.#pool, `${settings.memory} ${name}`, () => ({
      store: new CacheStore(new MemoryStore(memory, shared.thread)),
      flights: new Flights(),
      close: () => undefined,
    }));
  }

  /** The stores in use. */
  *[Symbol.iterator](): IterableIterator<CacheStore> {
    for (const [, { store }] of this.#pool) yield store;
  }
}
