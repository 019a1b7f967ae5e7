/**
 * Reference-counted resources that survive configuration changes, such as sockets, connection pools and log files. Configurations that use
 * the same key share one resource.
 */

/** A pooled resource. */
export interface Pooled {
  /**
   * Called when no current configuration uses the resource. The resource should accept no new work. Requests of earlier configurations may
   * still use it.
   */
  retire?(): void;
  /** Called after the last user has released the resource. */
  close(): void | Promise<void>;
}

interface Entry<T> {
  readonly value: Promise<T>;
  settled: T | null;
  /** Number of users in current configurations, and in configurations that are being built. */
  active: number;
  /** Total number of users, including those in retired configurations. */
  references: number;
}

/** A user's reference to a pooled resource. */
export interface Lease<T> {
  readonly value: T;
  /** Records that the user's configuration was replaced. Repeated calls have no effect. */
  retire(): void;
  /** Releases the reference, and implies {@link retire}. Repeated calls have no effect. */
  release(): Promise<void>;
}

/** A pool of resources by key. There should be one pool per resource type and thread, provided through a token. */
export class ResourcePool<T extends Pooled> {
  readonly #entries = new Map<string, Entry<T>>();

  /** Acquires the resource for a key. Creates the resource if no current configuration uses it. */
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

  /** Iterates over the resources that any configuration uses. */
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
