/** Upstreams of a proxy: configured, or discovered by a source at request time. */
import type { Exchange, UpstreamSource, UpstreamUser } from '@sluice/http-app';
import { type Logger } from '@sluice/base';
import type { SharedCells } from '@sluice/threads';
import type { AvailabilityRules } from './availability-rules.ts';
import { ProxyUpstream } from './proxy-upstream.ts';
import type { HostLease, UpstreamTable } from './upstream-table.ts';

/** Returns the upstreams for a request. */
export interface UpstreamList {
  of(exchange: Exchange): readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]>;
  /** Configured upstreams; `null` if they are discovered at request time. */
  readonly named: readonly ProxyUpstream[] | null;
  /** Releases resources acquired at request time. */
  close(): void;
}

/** Configured upstreams. */
export class StaticUpstreams implements UpstreamList {
  readonly named: readonly ProxyUpstream[];

  constructor(upstreams: readonly ProxyUpstream[]) {
    this.named = upstreams;
  }

  of(): readonly ProxyUpstream[] {
    return this.named;
  }

  close(): void {}
}

/** Time after which unused addresses are dropped, in milliseconds. */
const maxUnused = 60 * 60 * 1000;
/** Interval of checks for unused addresses. */
const sweepInterval = 5 * 60 * 1000;

interface Known {
  readonly upstream: ProxyUpstream;
  readonly lease: HostLease;
  usedAt: number;
}

export interface UpstreamSettings {
  readonly table: UpstreamTable;
  readonly cells: SharedCells;
  readonly rules: AvailabilityRules;
  readonly user: UpstreamUser;
  /** True with slow start. */
  readonly isPaced: boolean;
  /** Limit of each upstream; 0 for none. */
  readonly maxRequests: number;
  readonly log: Logger;
}

export class DynamicUpstreams implements UpstreamList {
  readonly named = null;
  readonly #source: UpstreamSource;
  readonly #fallback: readonly ProxyUpstream[];
  readonly #table: UpstreamTable;
  readonly #cells: SharedCells;
  readonly #rules: AvailabilityRules;
  readonly #user: UpstreamUser;
  readonly #isPaced: boolean;
  readonly #maxRequests: number;
  readonly #log: Logger;
  readonly #known = new Map<string, Known>();
  /** Lists as returned by the source, so that an unchanged list only costs a lookup. */
  #lists = new WeakMap<readonly string[], readonly ProxyUpstream[]>();
  #sweptAt = performance.now();

  constructor(
    source: UpstreamSource,
    fallback: readonly ProxyUpstream[],
    { table, cells, rules, user, isPaced, maxRequests, log }: UpstreamSettings,
  ) {
    this.#source = source;
    this.#fallback = fallback;
    this.#table = table;
    this.#cells = cells;
    this.#rules = rules;
    this.#user = user;
    this.#isPaced = isPaced;
    this.#maxRequests = maxRequests;
    this.#log = log;
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
    this.#log.error('failed to find dynamic upstreams; using the static ones', {
      error,
      upstreams: this.#fallback.length,
    });
    return this.#fallback;
  }

  #upstreamsOf(addresses: readonly string[]): readonly ProxyUpstream[] {
    const known = this.#lists.get(addresses);
    if (known !== undefined) return known;
    const now = performance.now();
    const upstreams = addresses.map((address) => this.#upstreamOf(address, now));
    this.#lists.set(addresses, upstreams);
    if (now - this.#sweptAt > sweepInterval) this.#sweep(now);
    return upstreams;
  }

  #upstreamOf(address: string, now: number): ProxyUpstream {
    let known = this.#known.get(address);
    if (known === undefined) {
      const lease = this.#table.acquire(address, this.#cells, this.#user, this.#isPaced);
      if (this.#rules.turn !== null) this.#table.countWaiters(lease.host, this.#cells);
      const upstream = (lease.upstream = new ProxyUpstream(lease, this.#maxRequests, this.#rules, {
        active: null,
        outlier: null,
      }));
      known = { upstream, lease, usedAt: now };
      this.#known.set(address, known);
    }
    known.usedAt = now;
    return known.upstream;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [address, { lease, upstream, usedAt }] of this.#known) {
      if (now - usedAt < maxUnused || upstream.requests > 0) continue;
      this.#known.delete(address);
      lease.release();
      this.#lists = new WeakMap();
    }
  }

  /** Called when the configuration drops the proxy. */
  retire(): void {
    for (const { lease } of this.#known.values()) lease.retire();
  }

  close(): void {
    for (const { lease } of this.#known.values()) lease.release();
    this.#known.clear();
  }
}
