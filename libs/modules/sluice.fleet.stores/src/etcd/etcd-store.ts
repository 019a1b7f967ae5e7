/**
 * Fleet store in etcd. Keys below `/sluice/<cluster>/` are `head`, `log/<rev>`, `op/<op>`, `snap`, `chunk/…`, `lease/<name>` and
 * `value/<key>`.
 */
import { itemAt } from '@sluice/base';
import {
  encodeEntry,
  encodeHead,
  headAt,
  storeError,
  unknownResult,
  type Entry,
  type FleetStore,
  type Head,
  type Snapshot,
  type StoreCapabilities,
  type StoreLease,
  type SwapResult,
  type StoreWatch,
  type Watcher,
  type Write,
} from '@sluice/fleet';
import {
  EtcdConnection,
  EtcdLease,
  below,
  between,
  createdAt,
  get,
  keyOf,
  missing,
  modifiedAt,
  put,
  remove,
  valueIs,
  type EtcdAddress,
  type Keys,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
} from '@sluice/store-clients/etcd';
import { OpenParts } from '../shared/open-parts.ts';
import { decodeSnapshot, encodeSnapshot } from '../shared/snapshot.ts';
import { EtcdLog, headIn } from './etcd-log.ts';
import { EtcdWatch } from './etcd-watch.ts';
import { keepText, numbered, textOf } from './values.ts';

export class EtcdStore implements FleetStore {
  readonly capabilities: StoreCapabilities = { linearizable: true, durable: true, failover: 'safe' };
  readonly #connection: EtcdConnection;
  readonly #root: string;
  readonly #log: EtcdLog;
  readonly #open = new OpenParts();

  constructor(address: EtcdAddress, cluster: string) {
    this.#connection = new EtcdConnection(address, { refused: storeError, unknown: unknownResult });
    this.#root = `/sluice/${encodeURIComponent(cluster)}/`;
    this.#log = new EtcdLog(this.#connection, this.#root);
  }

  async head(): Promise<Head | null> {
    return headIn(await this.#range(keyOf(this.#log.headKey)));
  }

  async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const last = entries.at(-1);
    if (last === undefined) return { outcome: 'swapped' };
    const { headKey } = this.#log;
    const values = await Promise.all(
      entries.map((entry) => keepText(this.#connection, this.#log.chunks(entry.rev), encodeEntry(entry))),
    );
    const opKeys = entries.map(({ op }) => this.#log.opKey(op));
    const { succeeded, responses } = await this.#connection.decide<TxnResponse>('KV', 'Txn', {
      compare: [base === null ? missing(headKey) : valueIs(headKey, encodeHead(base)), ...opKeys.map(missing)],
      success: [
        put(headKey, encodeHead(headAt(lineage, last))),
        ...entries.flatMap(({ rev }, i) => [
          put(this.#log.key(rev), itemAt(values, i)),
          put(itemAt(opKeys, i), String(rev)),
        ]),
      ],
      failure: [get(headKey), ...opKeys.map(get)],
    });
    if (succeeded) return { outcome: 'swapped' };
    const [head, ...ops] = responses.map(({ response_range: range }) => range);
    const known = ops.flatMap((range) => range?.kvs ?? []).at(0);
    if (known !== undefined) return { outcome: 'known', rev: Number(known.value.toString()) };
    return { outcome: 'lost', head: headIn(head) };
  }

  async log(from: number, to: number): Promise<readonly Entry[] | null> {
    const all: Entry[] = [];
    for (;;) {
      const { entries } = await this.#log.read(from + all.length, to);
      if (entries === null) return null;
      if (entries.length === 0) return all;
      all.push(...entries);
    }
  }

  async find(op: string): Promise<number | null> {
    const { kvs } = await this.#range(keyOf(this.#log.opKey(op)));
    return kvs[0] === undefined ? null : Number(kvs[0].value.toString());
  }

  watch(from: number, watcher: Watcher): StoreWatch {
    return this.#open.watch(new EtcdWatch(this.#connection, this.#log, { from, watcher }));
  }

  async snapshot(): Promise<Snapshot | null> {
    for (;;) {
      const { kvs } = await this.#range(keyOf(`${this.#root}snap`));
      if (kvs[0] === undefined) return null;
      const text = await textOf(this.#connection, kvs[0].value);
      if (text !== null) return decodeSnapshot(text); // The value was replaced meanwhile.
    }
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    const { head } = snapshot;
    const key = `${this.#root}snap`;
    const folder = `${this.#root}snapchunk/`;
    const text = encodeSnapshot(snapshot);
    const value = await keepText(this.#connection, `${folder}${numbered(head.rev)}/`, text);
    for (;;) {
      const { kvs } = await this.#range(keyOf(key));
      const known = kvs[0] === undefined ? null : await textOf(this.#connection, kvs[0].value);
      if (known !== null && decodeSnapshot(known).head.rev >= head.rev) return;
      const { succeeded } = await this.#transact({
        compare: [modifiedAt(key, kvs[0]?.mod_revision ?? '0')],
        success: [put(key, value), remove(between(folder, `${folder}${numbered(head.rev)}/`))],
        failure: [],
      });
      if (succeeded) return;
    }
  }

  trim(keep: number): Promise<void> {
    return this.#log.trim(keep);
  }

  async lease(name: string, value: string, seconds: number): Promise<StoreLease | null> {
    const request = { name, key: `${this.#root}lease/${name}`, value, seconds };
    const lease = await EtcdLease.take(this.#connection, request, (each) => this.#open.forget(each));
    return lease === null ? null : this.#open.keep(lease);
  }

  leases(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below('lease/', prefix);
  }

  async transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean> {
    if (!(lease instanceof EtcdLease)) return false;
    const { succeeded } = await this.#connection.decide<TxnResponse>('KV', 'Txn', {
      compare: [createdAt(lease.key, lease.created)],
      success: writes.map(({ key, value, bound }) => {
        const name = `${this.#root}value/${key}`;
        return value === null ? remove(keyOf(name)) : put(name, value, bound === true ? lease.id : '0');
      }),
      failure: [],
    });
    return succeeded;
  }

  values(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below('value/', prefix);
  }

  async close(): Promise<void> {
    await this.#open.close();
    this.#connection.close();
  }

  async #below(folder: string, prefix: string): Promise<ReadonlyMap<string, string>> {
    const start = this.#root + folder;
    const { kvs } = await this.#range(below(start + prefix));
    return new Map(kvs.map(({ key, value }) => [key.toString().slice(start.length), value.toString()]));
  }

  #range(keys: Keys): Promise<RangeResponse> {
    return this.#connection.call<RangeResponse>('KV', 'Range', keys);
  }

  #transact(request: TxnRequest): Promise<TxnResponse> {
    return this.#connection.call<TxnResponse>('KV', 'Txn', request);
  }
}
