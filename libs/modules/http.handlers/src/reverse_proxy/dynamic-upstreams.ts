/** Upstreams that a dynamic source discovers at request time. */
import { timeOfRead, type Logger } from '@sluice/base';
import type { Exchange, UpstreamSource, UpstreamUser } from '@sluice/http-app';
import type { SharedCells } from '@sluice/threads';
import type { AvailabilityRules } from './availability-rules.ts';
import type { Outliers } from './outliers/provision.ts';
import { ProxyUpstream } from './proxy-upstream.ts';
import type { UpstreamPace } from './upstream-pace.ts';
import type { UpstreamList } from './upstream-list.ts';
import type { HostLease, UpstreamTable } from './upstream-table.ts';

/** Retention time of addresses that the source no longer returns, in milliseconds. */
const maxUnused = 60 * 60 * 1000;
/**
 * Retention time of address lists that the source no longer returns, in milliseconds. A source whose name contains placeholders can return
 * several lists.
 */
const maxListAge = 30_000;
/** Maximum number of lists to keep. If there are more, the oldest list is dropped. */
const maxLists = 1000;
/** Interval between checks for outdated lists, in milliseconds. */
const sweepInterval = 5000;

interface Known {
  readonly lease: HostLease;
  /**
   * Upstream, or `null` while the source does not return its address. While it is `null`, the address has no state for outlier detection
   * and slow start.
   */
  upstream: ProxyUpstream | null;
  pace: UpstreamPace | null;
  usedAt: number;
}

interface Listed {
  readonly addresses: readonly string[];
  readonly upstreams: readonly ProxyUpstream[];
  usedAt: number;
}

export interface DynamicSettings {
  readonly table: UpstreamTable;
  readonly cells: SharedCells;
  readonly rules: AvailabilityRules;
  readonly user: UpstreamUser;
  /** True if slow start is enabled for the upstreams. */
  readonly isPaced: boolean;
  /** Maximum number of concurrent requests per upstream. 0 means no limit. */
  readonly maxRequests: number;
  /** Outlier detection, or `null` if it is disabled. */
  readonly outliers: Outliers | null;
  readonly log: Logger;
  readonly now?: () => number;
}

export class DynamicUpstreams implements UpstreamList {
  readonly named = null;
  readonly #source: UpstreamSource;
  readonly #fallback: readonly ProxyUpstream[];
  readonly #settings: DynamicSettings;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  /** Current lists of the source. For a list that has not changed, a single lookup is enough. */
  readonly #lists = new Map<readonly string[], Listed>();
  #sweptAt: number;

  constructor(source: UpstreamSource, fallback: readonly ProxyUpstream[], settings: DynamicSettings) {
    this.#source = source;
    this.#fallback = fallback;
    this.#settings = settings;
    this.#now = settings.now ?? timeOfRead;
    this.#sweptAt = this.#now();
  }

  of(exchange: Exchange): readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]> {
    try {
      const found = this.#source.upstreams(exchange);
      if (!(found instanceof Promise)) return this.#upstreamsOf(found);
      return found.then(
        (addresses) => this.#upstreamsOf(addresses),
        (error: unknown) => this.#fallBack(error),
      );
    } catch (error) {
      return this.#fallBack(error);
    }
  }

  #fallBack(error: unknown): readonly ProxyUpstream[] {
    this.#settings.log.error('failed to discover dynamic upstreams; using the static ones', {
      error,
      upstreams: this.#fallback.length,
    });
    return this.#fallback;
  }

  #upstreamsOf(addresses: readonly string[]): readonly ProxyUpstream[] {
    const now = this.#now();
    let listed = this.#lists.get(addresses);
    if (listed === undefined) {
      listed = { addresses, upstreams: addresses.map((address) => this.#upstreamOf(address)), usedAt: now };
      this.#lists.set(addresses, listed);
      if (this.#lists.size > maxLists) this.#lists.delete(this.#lists.keys().next().value as readonly string[]);
    }
    listed.usedAt = now;
    if (now - this.#sweptAt > sweepInterval) this.#sweep(now);
    return listed.upstreams;
  }

  #upstreamOf(address: string): ProxyUpstream {
    const { table, cells, user, rules, isPaced, maxRequests, outliers } = this.#settings;
    let known = this.#known.get(address);
    if (known === undefined) {
      const lease = table.acquire(address, cells, user, false);
      if (rules.turn !== null) table.countWaiters(lease.host, cells);
      known = { lease, upstream: null, pace: null, usedAt: 0 };
      this.#known.set(address, known);
    }
    if (known.upstream !== null) return known.upstream;
    const { lease } = known;
    const { host, failures, use } = lease;
    known.pace = isPaced ? table.pace(address, cells) : null;
    known.upstream = new ProxyUpstream({ host, failures, use, pace: known.pace }, maxRequests, rules, {
      active: null,
      outlier: outliers?.acquire(address) ?? null,
    });
    return (lease.upstream = known.upstream);
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [addresses, { usedAt }] of this.#lists) if (now - usedAt > maxListAge) this.#lists.delete(addresses);
    const named = new Set([...this.#lists.keys()].flat());
    for (const [address, known] of this.#known) {
      if (named.has(address)) known.usedAt = now;
      else if (known.upstream !== null) this.#forget(address, known);
      else if (now - known.usedAt >= maxUnused && known.lease.host.requests === 0) {
        this.#known.delete(address);
        known.lease.release();
      }
    }
  }

  /** Drops this thread's state for outlier detection and slow start. Other threads may still use the shared state. */
  #forget(address: string, known: Known): void {
    known.upstream = null;
    known.pace?.close();
    known.pace = null;
    this.#settings.outliers?.release(address);
  }

  /** Called when the configuration no longer contains the proxy. */
  retire(): void {
    for (const { lease } of this.#known.values()) lease.retire();
  }

  close(): void {
    for (const [address, known] of this.#known) {
      this.#forget(address, known);
      known.lease.release();
    }
    this.#known.clear();
    this.#lists.clear();
  }
}
