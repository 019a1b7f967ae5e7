/** The log in etcd: one key per entry, so that etcd's compaction removes no entries. */
import { decodeEntry, decodeHead, type Entry, type Head } from '@sluice/fleet';
import {
  below,
  between,
  get,
  keyOf,
  remove,
  type KeyValue,
  type Operation,
  type RangeResponse,
  type TxnResponse,
  type EtcdConnection,
} from '@sluice/store-clients/etcd';
import { numbered, textOf } from './values.ts';

/** Number of entries per read. */
const page = 40;

/** Part of the log from a revision on. */
export interface LogPage {
  /** `null` if the first entry was trimmed. */
  readonly entries: readonly Entry[] | null;
  readonly head: Head | null;
  /** etcd revision of this snapshot. */
  readonly seen: string;
}

/** Reads and trims the log of a cluster, whose keys begin with `root`. */
export class EtcdLog {
  readonly #connection: EtcdConnection;
  readonly #root: string;

  constructor(connection: EtcdConnection, root: string) {
    this.#connection = connection;
    this.#root = root;
  }

  get headKey(): string {
    return `${this.#root}head`;
  }

  /** Key prefix of all entries. */
  get prefix(): string {
    return `${this.#root}log/`;
  }

  key(rev: number): string {
    return this.prefix + numbered(rev);
  }

  opKey(op: string): string {
    return `${this.#root}op/${op}`;
  }

  /** Returns the key prefix of an entry's chunks. */
  chunks(rev: number): string {
    return `${this.#root}chunk/${numbered(rev)}/`;
  }

  /** Returns the next entries from `from`, up to `to`; none if there are no more. */
  async read(from: number, to: number): Promise<LogPage> {
    const range = { ...between(this.key(from), this.key(to + 1)), limit: page };
    const { responses, header } = await this.#transact([get(this.headKey), { request_range: range }]);
    const head = headIn(responses[0]?.response_range);
    const entries: Entry[] = [];
    for (const { value } of responses[1]?.response_range?.kvs ?? []) {
      const entry = await this.entryOf(value);
      if (entry === null || entry.rev !== from + entries.length) break;
      entries.push(entry);
    }
    const cut = entries.length === 0 && head !== null && from <= Math.min(head.rev, to);
    return { entries: cut ? null : entries, head, seen: header.revision };
  }

  /** Decodes the entry in a value; `null` if it is being trimmed. */
  async entryOf(value: Buffer): Promise<Entry | null> {
    const text = await textOf(this.#connection, value);
    return text === null ? null : decodeEntry(text);
  }

  async trim(keep: number): Promise<void> {
    await this.#transact([remove(between(this.prefix, this.key(keep)))]);
    await this.#transact([remove(between(this.chunks(0), this.chunks(keep)))]);
    const ops = await this.#connection.call<RangeResponse>('KV', 'Range', below(this.opKey('')));
    const old = ops.kvs.filter(({ value }) => Number(value.toString()) < keep);
    for (let i = 0; i < old.length; i += 100) {
      await this.#transact(old.slice(i, i + 100).map(({ key }) => remove(keyOf(key.toString()))));
    }
  }

  #transact(success: readonly Operation[]): Promise<TxnResponse> {
    return this.#connection.call<TxnResponse>('KV', 'Txn', { compare: [], success, failure: [] });
  }
}

/** Returns the head in a response, or `null` if none exists. */
export function headIn(range: RangeResponse | null | undefined): Head | null {
  const found: KeyValue | undefined = range?.kvs[0];
  return found === undefined ? null : decodeHead(found.value.toString());
}
