/** Redis storage. */
import { randomUUID } from 'node:crypto';
import type { LockOptions, Storage, StorageLock, StoredInfo, StorageTimes } from '@sluice/contracts';
import { RenewedLease } from '@sluice/store-clients';
import { RedisConnection, type RedisAddress, type RedisReply } from '@sluice/store-clients/redis';
import { awaitLock, defaultTimes } from '../server/await-lock.ts';
import { lockLost, storageFaults } from '../server/faults.ts';
import { checkKey } from '../server/keys.ts';
import * as scripts from './scripts.ts';
import { decodeValue, encodeValue } from './values.ts';
import { SluiceError } from '@sluice/base';

type Values = ReadonlyMap<string, Buffer | string | null>;

/** Stores values in Redis below a key prefix. Connects on demand. */
export class RedisStorage implements Storage {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #times: StorageTimes;

  constructor(address: RedisAddress, prefix: string, times: StorageTimes = defaultTimes) {
    this.#connection = new RedisConnection(address, storageFaults, false);
    this.#prefix = prefix;
    this.#times = times;
  }

  async load(key: string): Promise<Buffer | null> {
    const text = await this.#text(key);
    return text === null ? null : decodeValue(key, text).bytes;
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    await this.#write(new Map([[key, value]]), null);
  }

  async delete(key: string): Promise<void> {
    await this.#write(new Map([[key, null]]), null);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#run(scripts.kindScript, this.#path(key))) !== 'none';
  }

  async list(prefix: string, recursive = false): Promise<readonly string[]> {
    const names = (await this.#run(scripts.listScript, this.#path(prefix))) as readonly string[];
    const found: string[] = [];
    for (const name of names) {
      const isFolder = name.endsWith('/');
      const plain = isFolder ? name.slice(0, -1) : name;
      const key = prefix === '' ? plain : `${prefix}/${plain}`;
      if (isFolder && recursive) found.push(...(await this.list(key, true)));
      else found.push(key);
    }
    return found.sort();
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const text = await this.#text(key);
    if (text === null) return (await this.exists(key)) ? { key, modified: 0, size: 0, terminal: false } : null;
    const { bytes, modified } = decodeValue(key, text);
    return { key, modified, size: bytes.length, terminal: true };
  }

  lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    return awaitLock(() => this.#take(name), options, this.#times);
  }

  close(): void {
    this.#connection.close();
  }

  async #take(name: string): Promise<StorageLock | null> {
    const [token, asked] = [randomUUID(), performance.now()];
    const { span } = this.#times;
    const path = this.#path(`locks/${name}`);
    if ((await this.#run(scripts.lockScript, path, token, span)) !== 1) return null;
    const lease = new RenewedLease(
      { name, token, span, asked },
      {
        renew: async () => (await this.#run(scripts.renewScript, path, token, span)) === 1,
        release: async () => void (await this.#run(scripts.releaseScript, path, token)),
      },
    );
    return {
      lost: lease.lost,
      write: (values) => this.#write(values, lease),
      release: () => lease.release(),
    };
  }

  async #write(values: Values, lease: RenewedLease | null): Promise<void> {
    const rows = [...values].flatMap(([key, value]) => {
      checkKey(key);
      return [this.#path(key), value === null ? 'remove' : 'set', value === null ? '' : encodeValue(value)];
    });
    const problem = await this.#connection.decide({
      script: scripts.writeScript,
      keys: [this.#prefix, this.#path(`locks/${lease?.name ?? ''}`)],
      values: [lease?.token ?? '', Math.floor(Date.now() / 1000), ...rows],
    });
    if (problem === 'lost') throw lockLost(lease?.name ?? '');
    if (problem !== null) throw new SluiceError('ERR_STORAGE_KEY', `redis: ${JSON.stringify(problem)}`);
  }

  async #text(key: string): Promise<string | null> {
    return (await this.#run(scripts.loadScript, this.#path(key))) as string | null;
  }

  #path(key: string): string {
    return key === '' ? this.#prefix : `${this.#prefix}/${key}`;
  }

  #run(script: string, key: string, ...values: readonly (string | number)[]): Promise<RedisReply> {
    return this.#connection.run({ script, keys: [key], values });
  }
}
