/** Configuration log in etcd. Each entry has a separate key, so that etcd's compaction removes no entries. */
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

/** Number of log entries to read at a time. */
const page = 40;

/** Part of the log, starting at a revision. */
export interface LogPage {
  /** Log entries, or `null` if the first requested entry was trimmed. */
  readonly entries: readonly Entry[] | null;
  readonly head: Head | null;
  /** etcd revision at which this part of the log was read. */
  readonly seen: string;
}

/** Reads and trims a cluster's log. Its etcd keys begin with `root`. */
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

  /** Key prefix of all log entries. */
  get prefix(): string {
    return `${this.#root}log/`;
  }

  key(rev: number): string {
    return this.prefix + numbered(rev);
  }

  opKey(op: string): string {
    return `${this.#root}op/${op}`;
  }

  /** Returns the key prefix of a log entry's chunks. */
  chunks(rev: number): string {
    return `${this.#root}chunk/${numbered(rev)}/`;
  }

  /** Returns the log entries from revision `from` to at most revision `to`. The result is empty if there are no more entries. */
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

  /** Decodes the log entry in a value. Returns `null` if the entry is being trimmed. */
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

/** Returns the log head in an etcd response, or `null` if there is none. */
export function headIn(range: RangeResponse | null | undefined): Head | null {
  const found: KeyValue | undefined = range?.kvs[0];
  return found === undefined ? null : decodeHead(found.value.toString());
}
