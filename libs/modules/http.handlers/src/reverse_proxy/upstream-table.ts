/** The addresses that the proxies of a thread use, each once, and where their counters are. */
import { allocateSharedCells, SharedCells, sharedCellsToken, type SharedCell } from '@sluice/threads';
import { type RequestStats, UpstreamHost, UpstreamUse, type UpstreamUser, requestStatsToken } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { ProxyUpstream, UpstreamCounters } from './proxy-upstream.ts';

interface Entry {
  readonly host: UpstreamHost;
  /** Holds of users in a configuration that is in force, or is about to be. */
  readonly active: Set<HostLease>;
  users: number;
}

/** One user's hold on an address. */
export interface HostLease extends UpstreamCounters {
  /** What the user makes of it; set by the user. */
  upstream: ProxyUpstream | null;
  /** The configuration of this user was replaced. Idempotent. */
  retire(): void;
  /** This user is gone. Idempotent. */
  release(): void;
}

/** The addresses of a thread. One per registry. */
export class UpstreamTable {
  readonly #entries = new Map<string, Entry>();
  /** Those of the thread; of its own where it shares no memory with others, such as in tests. */
  #cells: SharedCells | null = null;
  #stats: RequestStats | null = null;

  /** Takes the host of an address for a user. */
  acquire(address: string, cells: SharedCells, user: UpstreamUser): HostLease {
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      const counter = this.#stats?.upstreams.of(address) ?? null;
      const host = new UpstreamHost(address, cells.acquire(`upstream ${address}`), counter);
      entry = { host, active: new Set(), users: 0 };
      this.#entries.set(address, entry);
    }
    entry.users++;
    const use = new UpstreamUse(cells.acquire(`upstream-use ${user.key} ${address}`), user);
    const lease = this.#lease(address, entry, use);
    entry.active.add(lease);
    return lease;
  }

  /** A cell of a key, for as long as the module of a context lives. */
  cell(key: string, context: Context): SharedCell {
    const cell = this.cellsOf(context).acquire(key);
    context.onDispose(() => cell.release());
    return cell;
  }

  /** The cells of the thread; the stats of the thread are found on that occasion. */
  cellsOf(context: Context): SharedCells {
    this.#stats ??= context.find(requestStatsToken) ?? null;
    return (this.#cells ??=
      context.find(sharedCellsToken) ?? new SharedCells(allocateSharedCells({ capacity: 4096, threads: 1 }), 0));
  }

  /** Keeps new requests of all threads from an address that some thread uses, or lets them come again. */
  drain(address: string, draining: boolean): void {
    const cells = this.#cells;
    if (cells === null) return;
    const host = new UpstreamHost(address, cells.acquire(`upstream ${address}`), null);
    host.draining = draining;
    host.close();
  }

  /** The hosts that configurations in force use. */
  *hosts(): IterableIterator<UpstreamHost> {
    for (const entry of this.#entries.values()) if (entry.active.size > 0) yield entry.host;
  }

  /** What the proxies in force make of an address. */
  upstreamsOf(address: string): ProxyUpstream[] {
    const leases = this.#entries.get(address)?.active ?? [];
    return [...leases].flatMap(({ upstream }) => (upstream === null ? [] : [upstream]));
  }

  #lease(address: string, entry: Entry, use: UpstreamUse): HostLease {
    let retired = false;
    let released = false;
    const lease: HostLease = {
      host: entry.host,
      use,
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
        if (--entry.users > 0) return;
        this.#entries.delete(address);
        entry.host.close();
      },
    };
    return lease;
  }
}
