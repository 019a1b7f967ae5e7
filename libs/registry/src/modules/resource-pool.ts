/**
 * Shared resources that outlive a swap of the configuration by reference count: sockets, connection pools, log files.
 * Two generations that want the same key share one resource.
 */

/** What a pool holds. Both methods are optional for a resource that needs no such moment. */
export interface Pooled {
  /** No current configuration uses it any more, but requests that began earlier still may: stop accepting new work. */
  retire?(): void;
  /** The last user has let go. */
  close(): void | Promise<void>;
}

interface Entry<T> {
  readonly value: Promise<T>;
  settled: T | null;
  /** Users in a current or a candidate configuration. */
  active: number;
  /** Users in all, those of retired configurations included. */
  references: number;
}

/** One user's hold on a pooled resource. */
export interface Lease<T> {
  readonly value: T;
  /** This user's configuration was replaced. Idempotent. */
  retire(): void;
  /** This user is gone. Implies {@link retire}. Idempotent. */
  release(): Promise<void>;
}

/** A pool of resources by key. Make one per kind of resource and thread, and provide it by a token. */
export class ResourcePool<T extends Pooled> {
  readonly #entries = new Map<string, Entry<T>>();

  /** Takes the resource of a key, making it if there is none that is in use by a current configuration. */
  async acquire(key: string, create: () => T | Promise<T>): Promise<Lease<T>> {
    let entry = this.#entries.get(key);
    if (entry === undefined || entry.active === 0) {
      entry = { value: Promise.resolve().then(create), settled: null, active: 0, references: 0 };
      this.#entries.set(key, entry);
    }
    entry.active++;
    entry.references++;
    try {
      entry.settled = await entry.value;
    } catch (error) {
      entry.active--;
      entry.references--;
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
    return this.#lease(key, entry, entry.settled);
  }

  /** The resources that some configuration uses, by key. */
  *[Symbol.iterator](): IterableIterator<[string, T]> {
    for (const [key, entry] of this.#entries) if (entry.settled !== null) yield [key, entry.settled];
  }

  #lease(key: string, entry: Entry<T>, value: T): Lease<T> {
    let retired = false;
    let released = false;
    const retire = (): void => {
      if (retired) return;
      retired = true;
      if (--entry.active > 0) return;
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      value.retire?.();
    };
    return {
      value,
      retire,
      release: async () => {
        if (released) return;
        released = true;
        retire();
        if (--entry.references === 0) await value.close();
      },
    };
  }
}
