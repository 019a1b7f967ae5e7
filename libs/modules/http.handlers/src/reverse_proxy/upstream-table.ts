/** Upstream addresses that the proxies of a thread use, and their counters. Each address occurs only once. */
import { allocateSharedCells, SharedCells, sharedCellsToken, type SharedCell } from '@sluice/threads';
import {
  type RequestStats,
  UpstreamHost,
  UpstreamUse,
  type UpstreamUser,
  UpstreamWaiters,
  requestStatsToken,
} from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { ProxyUpstream, UpstreamCounters } from './proxy-upstream.ts';
import { PlaceWatch } from './queue/place-watch.ts';
import { UpstreamPace } from './upstream-pace.ts';

interface Entry {
  readonly host: UpstreamHost;
  readonly active: Set<HostLease>;
  users: number;
}

export interface HostLease extends UpstreamCounters {
  readonly failures: UpstreamHost;
  /** Upstream object of the proxy that holds this lease. The proxy sets this property. */
  upstream: ProxyUpstream | null;
  /** Records that the configuration of the proxy has been replaced. Idempotent. */
  retire(): void;
  /** Releases the lease. Idempotent. */
  release(): void;
}

/** Table of the upstream addresses of a thread. There is one instance per registry. */
export class UpstreamTable {
  readonly #entries = new Map<string, Entry>();
  /** Shared cells of the thread. If the thread shares no memory, for example in tests, these are private cells. */
  #cells: SharedCells | null = null;
  #stats: RequestStats | null = null;
  #places: PlaceWatch | null = null;
  /** Number of addresses and queues that use the capacity watch. */
  #placeUsers = 0;

  acquire(address: string, cells: SharedCells, user: UpstreamUser, isPaced: boolean): HostLease {
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      const counter = this.#stats?.upstreams.of(address) ?? null;
      const host = new UpstreamHost(address, cells.acquire(`upstream ${address}`), counter);
      entry = { host, active: new Set(), users: 0 };
      this.#entries.set(address, entry);
    }
    entry.users++;
    const use = new UpstreamUse(cells.acquire(`upstream-use ${user.key} ${address}`), user);
    const pace = isPaced ? this.pace(address, cells) : null;
    const failures =
      user.isCanary === true
        ? new UpstreamHost(address, cells.acquire(`upstream-failures canary ${address}`), null)
        : entry.host;
    const lease = this.#lease(address, entry, { failures, use, pace });
    entry.active.add(lease);
    return lease;
  }

  /** Acquires the slow start state of an address. */
  pace(address: string, cells: SharedCells): UpstreamPace {
    return new UpstreamPace(cells.acquire(`upstream-pace ${address}`));
  }

  /** Returns the shared cell for a key. The cell is released when the context's module is disposed of. */
  cell(key: string, context: Context): SharedCell {
    const cell = this.cellsOf(context).acquire(key);
    context.onDispose(() => cell.release());
    return cell;
  }

  /** Returns the shared cells of this thread. */
  cellsOf(context: Context): SharedCells {
    this.#stats ??= context.find(requestStatsToken) ?? null;
    return (this.#cells ??=
      context.find(sharedCellsToken) ?? new SharedCells(allocateSharedCells({ capacity: 4096, threads: 1 }), 0));
  }

  /** Returns the watch that wakes the queues of this thread. The caller must call {@link releasePlaces} when it is done. */
  acquirePlaces(cells: SharedCells): PlaceWatch {
    this.#placeUsers++;
    return (this.#places ??= new PlaceWatch(cells.acquire('upstream-places')));
  }

  releasePlaces(): void {
    if (--this.#placeUsers > 0) return;
    this.#places?.close();
    this.#places = null;
  }

  /**
   * Starts counting requests that wait for an address. The counter is kept as long as the address is used, because queues of earlier
   * configurations need it.
   */
  countWaiters(host: UpstreamHost, cells: SharedCells): void {
    if (host.waiters !== null) return;
    const places = this.acquirePlaces(cells);
    host.waiters = new UpstreamWaiters(cells.acquire(`upstream-waiters ${host.address}`), {
      freed: () => places.freed(),
      close: () => this.releasePlaces(),
    });
  }

  /** Stops or resumes new requests to an address, in all threads. */
  drain(address: string, draining: boolean): void {
    const cells = this.#cells;
    if (cells === null) return;
    const host = new UpstreamHost(address, cells.acquire(`upstream ${address}`), null);
    host.draining = draining;
    host.close();
  }

  /** Yields the upstreams that active configurations use. */
  *hosts(): IterableIterator<UpstreamHost> {
    for (const entry of this.#entries.values()) if (entry.active.size > 0) yield entry.host;
  }

  upstreamsOf(address: string): ProxyUpstream[] {
    const leases = this.#entries.get(address)?.active ?? [];
    return [...leases].flatMap(({ upstream }) => (upstream === null ? [] : [upstream]));
  }

  #lease(
    address: string,
    entry: Entry,
    { failures, use, pace }: Omit<HostLease, 'host' | 'upstream' | 'retire' | 'release'>,
  ): HostLease {
    let retired = false;
    let released = false;
    const lease: HostLease = {
      host: entry.host,
      failures,
      use,
      pace,
      upstream: null,
      retire: () => {
        if (retired) return;
        retired = true;
        entry.active.delete(lease);
      },
      release: () => {
        if (released) return;
        released = true;
        lease.retire();
        use.close();
        pace?.close();
        if (failures !== entry.host) failures.close();
        if (--entry.users > 0) return;
        this.#entries.delete(address);
        entry.host.close();
      },
    };
    return lease;
  }
}
