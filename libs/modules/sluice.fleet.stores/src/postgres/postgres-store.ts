/** Fleet store in PostgreSQL. A schema contains tables with one row per cluster, log entry, lease and value. */
import { createHash } from 'node:crypto';
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
import { PostgresConnection, type PostgresAddress, type PostgresRow } from '@sluice/store-clients/postgres';
import { allPages, pageOf, pageSize } from '../shared/log-page.ts';
import { LogWatch, type LogPage } from '../shared/log-watch.ts';
import { OpenParts } from '../shared/open-parts.ts';
import { decodeSnapshot, encodeSnapshot } from '../shared/snapshot.ts';
import { sortedBelow } from '../shared/sorted-below.ts';
import { creationIn, statementsIn, type Statements } from './tables.ts';

/** Database schema for the tables, and requirements for the server. */
export interface PostgresChoice {
  readonly schema: string;
  /** True to accept servers that may lose acknowledged writes even without a failover. */
  readonly acceptLoss: boolean;
}

/** Fleet store in PostgreSQL. */
export class PostgresStore implements FleetStore {
  readonly #connection: PostgresConnection;
  readonly #cluster: string;
  readonly #channel: string;
  readonly #statements: Statements;
  readonly #open = new OpenParts();

  constructor(address: PostgresAddress, cluster: string, { schema, acceptLoss }: PostgresChoice) {
    const quoted = `"${schema.replaceAll('"', '""')}"`;
    this.#cluster = cluster;
    this.#channel = `sluice_${createHash('sha256').update(`${schema}\n${cluster}`).digest('hex').slice(0, 32)}`;
    this.#statements = statementsIn(quoted);
    const faults = { refused: storeError, unknown: unknownResult };
    this.#connection = new PostgresConnection(address, faults, {
      strict: !acceptLoss,
      prepare: async (query) => {
        // If the tables exist, don't create them. The user then needs no permission to create tables.
        const [found] = await query('SELECT to_regclass($1) AS found', [`${quoted}.fleet_value`]);
        if (found?.['found'] === null) await query(creationIn(quoted));
      },
    });
  }

  get capabilities(): StoreCapabilities {
    const { durable = false, synchronous = false } = this.#connection.durability ?? {};
    return { linearizable: true, durable, failover: synchronous ? 'safe' : 'lossy' };
  }

  async head(): Promise<Head | null> {
    const [row] = await this.#run(this.#statements.head);
    return headOf(row);
  }

  async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const last = entries.at(-1);
    if (last === undefined) return { outcome: 'swapped' };
    const ops = entries.map(({ op }) => op);
    const [row] = await this.#connection.decide(base === null ? this.#statements.begin : this.#statements.swap, [
      this.#cluster,
      base === null ? null : encodeHead(base),
      encodeHead(headAt(lineage, last)),
      entries.map(({ rev }) => rev),
      ops,
      entries.map(encodeEntry),
      this.#channel,
    ]);
    if (row?.['moved'] === true) return { outcome: 'swapped' };
    const [why] = await this.#connection.decide(this.#statements.why, [this.#cluster, ops]);
    const known = why?.['known'] ?? null;
    return known === null ? { outcome: 'lost', head: headOf(why) } : { outcome: 'known', rev: Number(known) };
  }

  log(from: number, to: number): Promise<readonly Entry[] | null> {
    return allPages((first, last) => this.#read(first, last), from, to);
  }

  async find(op: string): Promise<number | null> {
    const [row] = await this.#run(this.#statements.find, op);
    return row === undefined ? null : Number(row['rev']);
  }

  watch(from: number, watcher: Watcher): StoreWatch {
    const source = {
      read: (first: number, last: number) => this.#read(first, last),
      hints: (listener: () => void) => this.#connection.subscribe(this.#channel, listener),
    };
    return this.#open.watch(new LogWatch(source, from, watcher));
  }

  async snapshot(): Promise<Snapshot | null> {
    const [row] = await this.#run(this.#statements.snapshot);
    return row === undefined ? null : decodeSnapshot(row['snapshot'] as string);
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    await this.#run(this.#statements.saveSnapshot, snapshot.head.rev, encodeSnapshot(snapshot));
  }

  async trim(keep: number): Promise<void> {
    await this.#run(this.#statements.trim, keep);
  }

  lease(name: string, value: string, seconds: number): Promise<StoreLease | null> {
    const { lease, renew, release } = this.#statements;
    return this.#open.lease(name, seconds, {
      take: async (token, span) => (await this.#run(lease, name, token, value, span)).length > 0,
      renew: async (token, span) => (await this.#run(renew, name, token, span)).length > 0,
      remove: (token) => this.#run(release, name, token),
    });
  }

  leases(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below(this.#statements.leases, prefix);
  }

  async transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean> {
    if (!(lease instanceof RenewedLease)) return false;
    const last = [...new Map(writes.map((write) => [write.key, write])).values()];
    const kept = last.filter(({ value }) => value !== null);
    const [row] = await this.#connection.decide(this.#statements.transaction, [
      this.#cluster,
      lease.name,
      lease.token,
      last.filter(({ value }) => value === null).map(({ key }) => key),
      kept.map(({ key }) => key),
      kept.map(({ value }) => value),
      kept.map(({ bound }) => bound === true),
    ]);
    return row?.['held'] === true;
  }

  values(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#below(this.#statements.values, prefix);
  }

  async close(): Promise<void> {
    await this.#open.close();
    await this.#connection.close();
  }

  async #read(from: number, to: number): Promise<LogPage> {
    const [row] = await this.#run(this.#statements.read, from, to, pageSize);
    return pageOf((row?.['head'] ?? null) as string | null, row?.['entries'] as readonly string[], [from, to]);
  }

  async #below(statement: string, prefix: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#run(statement);
    return sortedBelow(
      rows.map((row) => [row['key'] as string, row['value'] as string] as const),
      prefix,
    );
  }

  #run(statement: string, ...values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    return this.#connection.run(statement, [this.#cluster, ...values]);
  }
}

function headOf(row: PostgresRow | undefined): Head | null {
  const text = row?.['head'] ?? null;
  return text === null ? null : decodeHead(text as string);
}
