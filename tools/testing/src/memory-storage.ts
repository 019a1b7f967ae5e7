/** An in-memory storage for configurations with `"storage": {"module": "memory"}`. */
import { defineModule, options, type Register } from '@sluice/registry';
import { storages, type LockOptions, type Storage, type StorageLock, type StoredInfo } from '@sluice/contracts';
import { storageSection } from '@sluice/reconciler';

/** Stores values in a map. Grants each lock in the order of requests. */
export class MemoryStorage implements Storage {
  /** Values by key. Each character represents one byte (Latin-1), so ASCII values equal their text. */
  readonly values: Map<string, string>;
  /** Error that all operations throw, if set. */
  failure: Error | null = null;
  /** Called before each write with the number of the write, starting at 1. May throw to simulate a crash. */
  beforeWrite: (count: number) => void = () => {};
  #writes = 0;
  /** Last waiting request for each lock. */
  readonly #turns = new Map<string, Promise<void>>();

  /** `values` may come from another storage in order to simulate a restart. */
  constructor(values: Map<string, string> = new Map()) {
    this.values = values;
  }

  async load(key: string): Promise<Buffer | null> {
    this.#check();
    const value = this.values.get(key);
    return value === undefined ? null : Buffer.from(value, 'latin1');
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    this.#check();
    this.beforeWrite(++this.#writes);
    this.values.set(key, Buffer.from(value as string).toString('latin1'));
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

/** Registers the configuration section `storage`, with the given storage as its module `memory`. */
export function registerStorage(storage: Storage): Register {
  const memory = defineModule(storages, {
    name: 'memory',
    help: 'The test storage.',
    config: options({}),
    provision: () => storage,
  });
  return (registry) => registry.addSection(storageSection).add(memory);
}
