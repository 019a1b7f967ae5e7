/**
 * Watches the log in etcd. Reads the log, then watches etcd from the revision of that read. When the watch stream ends, starts over. The
 * watch therefore doesn't depend on etcd's history. Neither a disconnect nor a compaction loses an entry.
 */
import { taskOf, unawaited } from '@sluice/base';
import { storeError, WatchPlace, type Entry, type StoreWatch, type Watcher } from '@sluice/fleet';
import { below, type EtcdConnection, type EtcdStream, type WatchResponse } from '@sluice/store-clients/etcd';
import type { EtcdLog } from './etcd-log.ts';

/** Initial and maximum delay after a failed watch stream, in milliseconds. */
const pauses = { first: 10, last: 2000 };

type Stream = EtcdStream<WatchResponse>;

/** An active watch on the log. It starts on creation and runs until it is closed. */
export class EtcdWatch implements StoreWatch {
  readonly #connection: EtcdConnection;
  readonly #log: EtcdLog;
  readonly #watcher: Watcher;
  readonly #place: WatchPlace;
  /** Lineage of the log. Empty until the log has been read. */
  #lineage = '';
  #stream: Stream | null = null;
  #closed = false;
  #pause = pauses.first;
  #wake: () => void = () => {};

  constructor(
    connection: EtcdConnection,
    log: EtcdLog,
    { from, watcher }: { readonly from: number; readonly watcher: Watcher },
  ) {
    this.#connection = connection;
    this.#log = log;
    this.#place = new WatchPlace(from);
    this.#watcher = watcher;
    unawaited(taskOf('sluice.fleet.stores.etcd'), this.#run());
  }

  close(): void {
    this.#closed = true;
    this.#stream?.cancel();
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        const seen = await this.#readUp();
        if (seen === null) return;
        this.#pause = pauses.first;
        await this.#follow(seen);
      } catch (error) {
        if (this.#closed) return;
        this.#watcher.broken(error);
        this.#connection.turn();
        await this.#wait();
      }
    }
  }

  /** Delivers all available entries. Returns the etcd revision of the last read, or `null` if the watch was closed. */
  async #readUp(): Promise<string | null> {
    for (;;) {
      const { entries, head, seen } = await this.#log.read(this.#place.next, Number.MAX_SAFE_INTEGER - 1);
      if (this.#closed) return null;
      if (!this.#place.check(head, entries?.[0])) {
        this.#closed = true;
        this.#watcher.forked(head);
        return null;
      }
      this.#lineage = head?.lineage ?? '';
      if (entries === null) {
        this.#closed = true;
        this.#watcher.trimmed();
        return null;
      }
      for (const entry of entries) this.#deliver(entry);
      if (entries.length === 0) return seen;
    }
  }

  /** Delivers the entries written after an etcd revision. Rejects when the stream ends. Resolves if an entry is missing. */
  async #follow(seen: string): Promise<void> {
    const stream = await this.#connection.stream<WatchResponse>('Watch', 'Watch');
    this.#stream = stream;
    const start = String(BigInt(seen) + 1n);
    stream.write({ create_request: { ...below(this.#log.prefix), start_revision: start } });
    try {
      for await (const response of stream as AsyncIterable<WatchResponse>) {
        if (response.canceled)
          throw storeError(
            `etcd canceled the watch: ${response.cancel_reason || 'the requested revision was compacted'}`,
          );
        for (const { type, kv } of response.events) {
          if (type === 0 && !(await this.#take(kv.value))) return;
        }
      }
      throw storeError('etcd canceled the watch');
    } finally {
      this.#stream = null;
      stream.on('error', () => undefined); // The error of the cancellation.
      stream.cancel();
    }
  }

  async #take(value: Buffer): Promise<boolean> {
    const entry = await this.#log.entryOf(value);
    if (this.#closed || entry === null) return false;
    if (entry.rev < this.#place.next) return true;
    if (this.#lineage === '' || !this.#place.expects(entry)) return false;
    this.#deliver(entry);
    return true;
  }

  #deliver(entry: Entry): void {
    if (this.#closed) return;
    this.#place.pass(this.#lineage, entry);
    this.#watcher.entry(entry);
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, this.#pause);
    });
    this.#pause = Math.min(this.#pause * 2, pauses.last);
  }
}
