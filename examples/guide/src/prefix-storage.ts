/** `caddy.storage.prefix`: stores all keys below a prefix in another storage, so that several servers can share that storage. */
import {
  defineModule,
  inlineModule,
  options,
  storages,
  string,
  type LockOptions,
  type Storage,
  type StorageLock,
  type StoredInfo,
} from '@sluice/module';

/** Example: `{"module": "prefix", "prefix": "blue", "storage": {"module": "file_system", "root": "/shared"}}` */
export const prefixModule = defineModule(storages, {
  name: 'prefix',
  help: 'Stores everything below a prefix of another storage.',
  config: options({
    prefix: string('First segment of every key.'),
    storage: inlineModule('Underlying storage.', storages, 'module'),
  }),
  async provision({ prefix, storage }, context): Promise<Storage> {
    if (prefix == null || !/^[\w-]+$/.test(prefix))
      throw context.error('the prefix must be a single segment: letters, digits, - and _', 'prefix');
    if (storage === undefined) throw context.error('the underlying storage is missing', 'storage');
    return new PrefixStorage(`${prefix}/`, await context.loadInline(storages, storage, 'module', 'storage'));
  },
});

class PrefixStorage implements Storage {
  readonly #prefix: string;
  readonly #inner: Storage;

  constructor(prefix: string, inner: Storage) {
    this.#prefix = prefix;
    this.#inner = inner;
  }

  load(key: string): Promise<Buffer | null> {
    return this.#inner.load(this.#prefix + key);
  }

  store(key: string, value: Buffer | string): Promise<void> {
    return this.#inner.store(this.#prefix + key, value);
  }

  delete(key: string): Promise<void> {
    return this.#inner.delete(this.#prefix + key);
  }

  exists(key: string): Promise<boolean> {
    return this.#inner.exists(this.#prefix + key);
  }

  async list(prefix: string, recursive?: boolean): Promise<readonly string[]> {
    const keys = await this.#inner.list(this.#prefix + prefix, recursive);
    return keys.map((key) => key.slice(this.#prefix.length));
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const info = await this.#inner.stat(this.#prefix + key);
    return info === null ? null : { ...info, key };
  }

  lock(name: string, options?: LockOptions): Promise<StorageLock> {
    return this.#inner.lock(this.#prefix + name, options);
  }
}
