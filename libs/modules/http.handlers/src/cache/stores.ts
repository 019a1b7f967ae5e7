/** Cache stores of one thread. Handlers with the same sizes and directory share a store. */
import { ResourcePool, type Context } from '@sluice/registry';
import type { SharedMemory } from '@sluice/threads';
import { DiskIndex } from './disk/disk-index.ts';
import { DiskStore } from './disk/disk-store.ts';
import { Flights } from './flights.ts';
import { Budget } from './budget.ts';
import { CacheStore } from './cache-store.ts';
import { MemoryStore } from './store/memory-store.ts';

/** Minimum memory per thread for bodies that are being received, in bytes. This minimum applies even if it exceeds half of the cache size. */
const minBudget = 16 * 1024 * 1024;

export interface StoreSettings {
  /** Size of the memory store in bytes. */
  readonly memory: number;
  readonly disk: { readonly path: string; readonly size: number } | null;
}

/** A store and its upstream requests in flight. */
export interface OpenStore {
  readonly store: CacheStore;
  readonly flights: Flights;
  readonly budget: Budget;
}

interface PooledStore extends OpenStore {
  close(): void;
}

export class Stores {
  readonly #pool = new ResourcePool<PooledStore>();

  /** Acquires a store. The store is released when the context's module is disposed of. */
  async acquire({ memory: bytes, disk }: StoreSettings, shared: SharedMemory, context: Context): Promise<OpenStore> {
    const name = disk === null ? 'cache' : `cache ${disk.path}`;
    const memory = await shared.acquire(name, bytes, context);
    const index =
      disk === null ? null : await shared.acquire(`${name} index`, DiskStore.indexBytes(disk.size), context);
    const key = `${bytes} ${disk?.size ?? 0} ${name}`;
    return context.acquire(this.#pool, key, async () => {
      const onDisk =
        disk === null || index === null
          ? null
          : new DiskStore(new DiskIndex(index, shared.thread), { ...disk, log: context.log });
      if (context.roles.control) await onDisk?.load();
      const store = new CacheStore(new MemoryStore(memory, shared.thread), onDisk);
      if (context.roles.control) this.#keepWhatFits(name, store);
      return {
        store,
        flights: new Flights(),
        budget: new Budget(Math.max(bytes / 2, minBudget)),
        close: () => onDisk?.close(),
      };
    });
  }

  *[Symbol.iterator](): IterableIterator<CacheStore> {
    for (const [, { store }] of this.#pool) yield store;
  }

  /** Copies responses from the previous store to a new store of a different size. */
  #keepWhatFits(name: string, store: CacheStore): void {
    for (const [key, { store: earlier }] of this.#pool)
      if (key.endsWith(` ${name}`) && earlier.memory.memory.words.buffer !== store.memory.memory.words.buffer)
        store.memory.copyFrom(earlier.memory);
  }
}
