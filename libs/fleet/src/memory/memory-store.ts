/** In-memory fleet store, used in simulations and as the reference implementation of the store interface. Nothing is persisted. */
import { decodeEntry, encodeEntry, type Entry, type Head } from '../entry.ts';
import { storeError } from '../errors.ts';
import type {
  FleetStore,
  Snapshot,
  StoreCapabilities,
  StoreLease,
  SwapResult,
  StoreWatch,
  Watcher,
  Write,
} from '../store.ts';
import { systemEnvironment, type MemberEnvironment } from '../environment.ts';
import { directLink, type Link } from './link.ts';
import { WatchPlace } from '../watch-place.ts';
import type { MemoryCluster } from './memory-cluster.ts';
import { MemoryLease } from './memory-lease.ts';

/** Access of one member to the shared in-memory state. */
export class MemoryStore implements FleetStore {
  readonly capabilities: StoreCapabilities = { linearizable: true, durable: false, failover: 'none' };
  protected readonly cluster: MemoryCluster;
  readonly #link: Link;
  readonly #environment: MemberEnvironment;
  readonly #leases = new Set<MemoryLease>();
  readonly #watches = new Set<StoreWatch>();

  constructor(cluster: MemoryCluster, link: Link = directLink, environment: MemberEnvironment = systemEnvironment) {
    this.cluster = cluster;
    this.#link = link;
    this.#environment = environment;
  }

  head(): Promise<Head | null> {
    return this.#ask('head', () => this.cluster.head);
  }

  swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    // Serialize entries as other stores do, because members must not share objects.
    const texts = entries.map(encodeEntry);
    return this.#ask('swap', () => this.cluster.swap(base, lineage, texts.map(decodeEntry)));
  }

  log(from: number, to: number): Promise<readonly Entry[] | null> {
    return this.#ask('log', () => this.cluster.entries(from, to));
  }

  find(op: string): Promise<number | null> {
    return this.#ask('find', () => this.cluster.find(op));
  }

  watch(from: number, watcher: Watcher): StoreWatch {
    const place = new WatchPlace(from);
    let closed = false;
    let pending = false;
    const again = (): void => {
      if (closed || pending) return;
      pending = true;
      this.#link.watched(
        () => {
          pending = false;
          if (closed) return;
          const { head } = this.cluster;
          const entries = this.cluster.entries(place.next, Number.POSITIVE_INFINITY);
          if (!place.check(head, entries?.[0])) {
            watch.close();
            watcher.forked(head);
            return;
          }
          if (entries === null) {
            watch.close();
            watcher.trimmed();
            return;
          }
          for (const entry of entries) place.pass((head as Head).lineage, entry);
          for (const entry of entries) watcher.entry(entry);
        },
        () => {
          pending = false;
          if (closed) return;
          place.next = this.resumeAt(place.next);
          watcher.broken(storeError('the watch was interrupted'));
          again();
        },
      );
    };
    const stop = this.cluster.listen(again);
    const watch: StoreWatch = {
      close: () => {
        closed = true;
        stop();
        this.#watches.delete(watch);
      },
    };
    this.#watches.add(watch);
    again();
    return watch;
  }

  snapshot(): Promise<Snapshot | null> {
    return this.#ask('snapshot', () => this.cluster.snapshot);
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#ask('saveSnapshot', () => {
      const kept = this.cluster.snapshot;
      if (kept === null || kept.head.rev < snapshot.head.rev) this.cluster.snapshot = snapshot;
    });
  }

  trim(keep: number): Promise<void> {
    return this.#ask('trim', () => this.cluster.trim(keep));
  }

  async lease(name: string, value: string, seconds: number): Promise<StoreLease | null> {
    const span = seconds * 1000;
    const asked = this.#environment.now();
    const token = await this.#ask('lease', () => {
      const now = this.#environment.now();
      return this.cluster.take(name, value, { now, expires: now + span });
    });
    if (token === null) return null;
    const lease = new MemoryLease({ name, token, span, asked }, this.#environment, {
      renew: () =>
        this.#ask('renew', () => {
          const now = this.#environment.now();
          return this.cluster.renew(name, token, { now, expires: now + span });
        }),
      release: async () => {
        this.#leases.delete(lease);
        await this.#ask('release', () => this.cluster.release(name, token));
      },
    });
    this.#leases.add(lease);
    return lease;
  }

  leases(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#ask('leases', () => this.cluster.leases(prefix, this.#environment.now()));
  }

  transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean> {
    return this.#ask('transaction', () => {
      if (!(lease instanceof MemoryLease) || !this.holds(lease)) return false;
      for (const { key, value, bound } of writes) this.cluster.set(key, value, bound === true ? lease.token : null);
      return true;
    });
  }

  values(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#ask('values', () => this.cluster.values(prefix, this.#environment.now()));
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await Promise.all([...this.#leases].map((lease) => lease.release()));
  }

  /** Returns the position at which an interrupted watch resumes. Simulations override this method to inject a defect. */
  protected resumeAt(next: number): number {
    return next;
  }

  /** Reports whether a lease is still valid. Used by {@link transaction}. */
  protected holds(lease: MemoryLease): boolean {
    return this.cluster.holds(lease.name, lease.token, this.#environment.now());
  }

  async #ask<T>(operation: string, act: () => T): Promise<T> {
    await this.#link.send(operation);
    const result = act();
    await this.#link.receive(operation);
    return result;
  }
}
