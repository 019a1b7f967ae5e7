/** Fleet store in Redis. All keys of a cluster begin with `{sluice:<cluster>}:`, so Redis Cluster stores them on one node. */
import { itemAt } from '@sluice/base';
import {
  decodeHead,
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
import { RenewedLease } from '@sluice/store-clients';
import { RedisConnection, type RedisAddress, type RedisCall, type RedisReply } from '@sluice/store-clients/redis';
import { allPages, pageOf, pageSize } from '../shared/log-page.ts';
import { LogWatch, type LogPage } from '../shared/log-watch.ts';
import { OpenParts } from '../shared/open-parts.ts';
import { sortedBelow } from '../shared/sorted-below.ts';
import { decodeSnapshot, encodeSnapshot } from '../shared/snapshot.ts';
import * as scripts from './scripts.ts';

export class RedisStore implements FleetStore {
  readonly #connection: RedisConnection;
  readonly #keys: readonly string[];
  readonly #open = new OpenParts();

  /** If `acceptLoss` is true, accepts servers that may lose acknowledged writes even when no failover occurs. */
  constructor(address: RedisAddress, cluster: string, acceptLoss: boolean) {
    this.#connection = new RedisConnection(address, { refused: storeError, unknown: unknownResult }, !acceptLoss);
    this.#keys = scripts.keyParts.map((part) => `{sluice:${encodeURIComponent(cluster)}}:${part}`);
  }

  get capabilities(): StoreCapabilities {
    return { linearizable: true, durable: this.#connection.durability?.durable ?? false, failover: 'lossy' };
  }

  async head(): Promise<Head | null> {
    const text = await this.#run(scripts.headScript);
    return text === null ? null : decodeHead(text as string);
  }

  async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const last = entries.at(-1);
    if (last === undefined) return { outcome: 'swapped' };
    const heads = [base === null ? '' : encodeHead(base), encodeHead(headAt(lineage, last))];
    const [outcome, detail = null] = (await this.#connection.decide(
      this.#call(
        scripts.swapScript,
        heads,
        entries.flatMap((entry) => [entry.rev, entry.op, encodeEntry(entry)]),
      ),
    )) as readonly [string, (string | null)?];
    if (outcome === 'known') return { outcome, rev: Number(detail) };
    if (outcome === 'lost') return { outcome, head: detail === null ? null : decodeHead(detail) };
    return { outcome: 'swapped' };
  }

  log(from: number, to: number): Promise<readonly Entry[] | null> {
    return allPages((first, last) => this.#read(first, last), from, to);
  }

  async find(op: string): Promise<number | null> {
    const rev = await this.#run(scripts.findScript, op);
    return rev === null ? null : Number(rev);
  }

  watch(from: number, watcher: Watcher): StoreWatch {
    const source = {
      read: (first: number, last: number) => this.#read(first, last),
      hints: (listener: () => void) => this.#connection.subscribe(this.#keys.at(-1) as string, listener),
    };
    return this.#open.watch(new LogWatch(source, from, watcher));
  }

  async snapshot(): Promise<Snapshot | null> {
    const text = await this.#run(scripts.snapshotScript);
    return text === null ? null : decodeSnapshot(text as string);
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    await this.#run(scripts.saveSnapshotScript, snapshot.head.rev, encodeSnapshot(snapshot));
  }

  async trim(keep: number): Promise<void> {
    while ((await this.#run(scripts.trimScript, keep)) !== 0);
  }

  lease(name: string, value: string, seconds: number): Promise<StoreLease | null> {
    return this.#open.lease(name, seconds, {
      take: async (token, span) => (await this.#run(scripts.leaseScript, name, token, span, value)) === 1,
      renew: async (token, span) => (await this.#run(scripts.renewScript, name, token, span)) === 1,
      remove: (token) => this.#run(scripts.releaseScript, name, token),
    });
  }

  leases(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below(scripts.leasesScript, prefix);
  }

  async transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean> {
    if (!(lease instanceof RenewedLease)) return false;
    const rows = writes.flatMap(({ key, value, bound }) => [
      key,
      value === null ? 'remove' : bound === true ? 'bind' : 'set',
      value ?? '',
    ]);
    const call = this.#call(scripts.transactionScript, [lease.name, lease.token], rows);
    return (await this.#connection.decide(call)) === 1;
  }

  values(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below(scripts.valuesScript, prefix);
  }

  async close(): Promise<void> {
    await this.#open.close();
    this.#connection.close();
  }

  async #read(from: number, to: number): Promise<LogPage> {
    const [head, texts] = (await this.#run(scripts.readScript, from, to, pageSize)) as readonly [
      string | null,
      readonly string[],
    ];
    return pageOf(head, texts, [from, to]);
  }

  async #below(script: string, prefix: string): Promise<ReadonlyMap<string, string>> {
    const flat = (await this.#run(script)) as readonly string[];
    const pairs = flat.flatMap((key, i) => (i % 2 === 0 ? [[key, itemAt(flat, i + 1)] as const] : []));
    return sortedBelow(pairs, prefix);
  }

  #run(script: string, ...values: readonly (string | number)[]): Promise<RedisReply> {
    return this.#connection.run(this.#call(script, values));
  }

  #call(script: string, ...values: readonly (readonly (string | number)[])[]): RedisCall {
    return { script, keys: this.#keys, values: values.flat() };
  }
}
