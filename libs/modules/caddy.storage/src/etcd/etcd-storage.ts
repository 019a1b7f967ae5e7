/** Storage in etcd. Values are stored at `<prefix>/data/<key>`. The key `<prefix>/locks/<name>` exists while a lock is held. */
import type { LockOptions, Storage, StorageLock, StoredInfo, StorageTimes } from '@sluice/contracts';
import {
  below,
  createdAt,
  EtcdConnection,
  EtcdLease,
  keyOf,
  put,
  remove,
  type Compare,
  type EtcdAddress,
  type KeyValue,
  type Keys,
  type Operation,
  type RangeResponse,
  type TxnResponse,
} from '@sluice/store-clients/etcd';
import { awaitLock, defaultTimes } from '../server/await-lock.ts';
import { lockLost, storageFaults } from '../server/faults.ts';
import { checkKey, childrenOf } from '../server/keys.ts';
import { decodeValue, encodeValue } from './values.ts';

type Values = ReadonlyMap<string, Buffer | string | null>;

/** Stores values in etcd below a key prefix. Connects on demand. */
export class EtcdStorage implements Storage {
  readonly #connection: EtcdConnection;
  readonly #data: string;
  readonly #locks: string;
  readonly #times: StorageTimes;
  readonly #held = new Set<EtcdLease>();

  constructor(address: EtcdAddress, prefix: string, times: StorageTimes = defaultTimes) {
    this.#connection = new EtcdConnection(address, storageFaults);
    this.#data = `${prefix}/data/`;
    this.#locks = `${prefix}/locks/`;
    this.#times = times;
  }

  async load(key: string): Promise<Buffer | null> {
    const found = await this.#find(key);
    return found === undefined ? null : decodeValue(key, found.value).bytes;
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    await this.#write(new Map([[key, value]]), null);
  }

  async delete(key: string): Promise<void> {
    await this.#write(new Map([[key, null]]), null);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#find(key)) !== undefined || (await this.#isFolder(key));
  }

  async list(prefix: string, recursive = false): Promise<readonly string[]> {
    const { kvs } = await this.#range({ ...this.#folder(prefix), keys_only: true });
    const keys = kvs.map(({ key }) => key.toString().slice(this.#data.length));
    return recursive ? keys.sort() : childrenOf(prefix, keys);
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const found = await this.#find(key);
    if (found === undefined) return (await this.#isFolder(key)) ? { key, modified: 0, size: 0, terminal: false } : null;
    const { bytes, modified } = decodeValue(key, found.value);
    return { key, modified, size: bytes.length, terminal: true };
  }

  lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    return awaitLock(() => this.#take(name), options, this.#times);
  }

  /** Releases all locks and closes the connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#held].map((lease) => lease.release()));
    this.#connection.close();
  }

  async #take(name: string): Promise<StorageLock | null> {
    // etcd leases are in seconds, and the server may grant a longer lease.
    const seconds = Math.ceil(this.#times.span / 1000);
    const request = { name, key: this.#locks + name, value: '', seconds };
    const lease = await EtcdLease.take(this.#connection, request, (each) => void this.#held.delete(each));
    if (lease === null) return null;
    this.#held.add(lease);
    return {
      lost: lease.lost,
      write: (values) => this.#write(values, lease),
      release: () => lease.release(),
    };
  }

  /** Writes all values in one transaction, which also verifies the lock. */
  async #write(values: Values, lease: EtcdLease | null): Promise<void> {
    const compare: Compare[] = lease === null ? [] : [createdAt(lease.key, lease.created)];
    const success = [...values].flatMap(([key, value]) => this.#operations(key, value));
    const request = { compare, success, failure: [] };
    const { succeeded } = await this.#connection.decide<TxnResponse>('KV', 'Txn', request);
    if (!succeeded) throw lockLost(lease?.name ?? '');
  }

  #operations(key: string, value: Buffer | string | null): Operation[] {
    checkKey(key);
    const path = this.#data + key;
    return value === null ? [remove(keyOf(path)), remove(below(`${path}/`))] : [put(path, encodeValue(value))];
  }

  async #find(key: string): Promise<KeyValue | undefined> {
    return (await this.#range(keyOf(this.#data + key))).kvs[0];
  }

  async #isFolder(key: string): Promise<boolean> {
    return (await this.#range({ ...this.#folder(key), limit: 1, keys_only: true })).kvs.length > 0;
  }

  #folder(key: string): Keys {
    return below(key === '' ? this.#data : `${this.#data}${key}/`);
  }

  #range(keys: Keys): Promise<RangeResponse> {
    return this.#connection.call<RangeResponse>('KV', 'Range', keys);
  }
}
