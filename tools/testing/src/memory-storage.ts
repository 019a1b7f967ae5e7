/** A storage in memory. */
import type { LockOptions, Storage, StorageLock, StoredInfo } from '@sluice/registry';

/** Keeps values in a map; who locks waits for whoever came before, whatever the name. */
export class MemoryStorage implements Storage {
  readonly values = new Map<string, string>();
  /** When set, everything fails with it. */
  failure: Error | null = null;
  /** The last one who waits for each lock. */
  readonly #turns = new Map<string, Promise<void>>();

  async load(key: string): Promise<Buffer | null> {
    this.#check();
    const value = this.values.get(key);
    return value === undefined ? null : Buffer.from(value);
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    this.#check();
    this.values.set(key, String(value));
  }

  async delete(key: string): Promise<void> {
    this.#check();
    this.values.delete(key);
  }

  async exists(key: string): Promise<boolean> {
    this.#check();
    return this.values.has(key);
  }

  async list(prefix: string): Promise<readonly string[]> {
    this.#check();
    return [...this.values.keys()].filter((key) => key.startsWith(`${prefix}/`)).sort();
  }

  async stat(key: string): Promise<StoredInfo | null> {
    this.#check();
    const value = this.values.get(key);
    return value === undefined ? null : { key, modified: 0, size: value.length, terminal: true };
  }

  async lock(name: string, _options?: LockOptions): Promise<StorageLock> {
    this.#check();
    const before = this.#turns.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.set(name, promise);
    await before;
    return { lost: new AbortController().signal, release: async () => resolve() };
  }

  #check(): void {
    if (this.failure !== null) throw this.failure;
  }
}
