/** Storage in S3. Values are stored at `<prefix>/<key>`, and locks at `<prefix>/locks/<name>`. */
import type { LockOptions, Storage, StorageLock, StoredInfo, StorageTimes } from '@sluice/contracts';
import { awaitLock, defaultTimes } from '../server/await-lock.ts';
import { lockLost, storageFaults } from '../server/faults.ts';
import { checkKey } from '../server/keys.ts';
import type { S3Address } from './address.ts';
import { S3Client, type Condition } from './s3-client.ts';
import { S3LockSeeker, type HeldS3Lock } from './s3-lock.ts';

type Values = ReadonlyMap<string, Buffer | string | null>;

/** Maximum number of attempts for a write under a lock. A write is retried if it conflicts with another write. */
const tries = 10;

/** Stores values in S3 below a key prefix. Connects on demand. */
export class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #root: string;
  readonly #times: StorageTimes;
  #probed: Promise<void> | null = null;

  constructor(address: S3Address, prefix: string, times: StorageTimes = defaultTimes) {
    this.#client = new S3Client(address);
    this.#root = prefix === '' ? '' : `${prefix}/`;
    this.#times = times;
  }

  async load(key: string): Promise<Buffer | null> {
    return (await this.#client.get(this.#root + key))?.body ?? null;
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    checkKey(key);
    await this.#client.put(this.#root + key, Buffer.from(value));
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    const path = this.#root + key;
    const below = await this.#client.list(`${path}/`, '');
    for (const each of [path, ...below.keys]) await this.#client.remove(each);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.stat(key)) !== null;
  }

  async list(prefix: string, recursive = false): Promise<readonly string[]> {
    const { keys, folders } = await this.#client.list(this.#folder(prefix), recursive ? '' : '/');
    const found = [...keys, ...folders.map((folder) => folder.slice(0, -1))];
    // Lock objects continue to exist after a lock is released, so they must be recognized by their key.
    const isLock = (key: string): boolean => key === 'locks' || key.startsWith('locks/');
    return found
      .map((path) => path.slice(this.#root.length))
      .filter((key) => !isLock(key))
      .sort();
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const found = await this.#client.get(this.#root + key, 'HEAD');
    if (found !== null) return { key, modified: found.modified, size: found.size, terminal: true };
    const { keys } = await this.#client.list(this.#folder(key), '', 1);
    return keys.length === 0 ? null : { key, modified: 0, size: 0, terminal: false };
  }

  async lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    this.#probed ??= this.#probe();
    await this.#probed.catch((error: unknown) => {
      this.#probed = null;
      throw error;
    });
    const seeker = new S3LockSeeker(this.#client, `${this.#root}locks/${name}`, this.#times.span);
    const held = await awaitLock(() => seeker.take(name), options, this.#times);
    return {
      lost: held.lease.lost,
      write: (values) => this.#write(values, held),
      release: () => held.lease.release(),
    };
  }

  close(): void {
    this.#client.close();
  }

  /** Checks that the server supports conditional requests. If it does not, two processes could own the same lock. */
  async #probe(): Promise<void> {
    const key = `${this.#root}locks/.probe`;
    await this.#client.put(key, Buffer.alloc(0));
    const ignoredConditions = [{ absent: true } as const, { etag: '"0"' }].map((condition: Condition) =>
      this.#client.put(key, Buffer.alloc(0), condition),
    );
    if ((await Promise.all(ignoredConditions)).some((etag) => etag !== null))
      throw storageFaults.refused(
        's3: server ignores conditional requests (If-Match, If-None-Match), which locks require',
      );
  }

  /**
   * Writes values while holding a lock. S3 has no transactions. Objects are written in a fixed order, on the condition that they have not
   * changed since the lock was acquired. A writer that has lost the lock either finds that the first object has changed, or its values are
   * overwritten. The lock's owner starts over if an object has changed.
   */
  async #write(values: Values, lock: HeldS3Lock): Promise<void> {
    for (const key of values.keys()) checkKey(key);
    const kept = [...values].filter((entry): entry is [string, Buffer | string] => entry[1] !== null);
    const ordered = kept.sort(([one], [other]) => (one < other ? -1 : 1));
    for (let tried = 0; ; tried++) {
      const conditions = await this.#conditions(ordered.map(([key]) => key));
      if (tried === tries || !(await lock.isHeld())) throw lockLost(lock.lease.name);
      if (await this.#putAll(ordered, conditions)) break;
    }
    for (const [key, value] of values) if (value === null) await this.delete(key);
  }

  #conditions(keys: readonly string[]): Promise<Condition[]> {
    return Promise.all(
      keys.map(async (key) => (await this.#client.get(this.#root + key, 'HEAD')) ?? { absent: true as const }),
    );
  }

  async #putAll(values: readonly [string, Buffer | string][], conditions: readonly Condition[]): Promise<boolean> {
    for (const [i, [key, value]] of values.entries()) {
      const etag = await this.#client.put(this.#root + key, Buffer.from(value), conditions[i] ?? null);
      if (etag === null) return false;
    }
    return true;
  }

  #folder(key: string): string {
    return key === '' ? this.#root : `${this.#root}${key}/`;
  }
}
