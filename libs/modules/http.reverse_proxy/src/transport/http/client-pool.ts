/** Pool of upstream connections with equal settings, grouped by address. The pool survives configuration reloads. */
import { Deadlines, type UpstreamConnections } from '@sluice/http-app';
import type { Pooled } from '@sluice/registry';
import type { Http3Dialer } from './http3-dialer.ts';
import { Origin } from './origin.ts';
import type { OriginPlace, OriginPool } from './origin-pool.ts';
import type { OriginSettings } from './origin-settings.ts';

export class ClientPool implements Pooled, OriginPool<Origin> {
  readonly settings: OriginSettings;
  /** Number of idle connections of all origins in the pool. The origins update it. */
  idle = 0;
  /** True once no configuration uses the pool. Idle connections are then closed. */
  retired = false;
  closed = false;
  readonly #origins = new Map<string, Origin>();
  readonly #deadlines: Deadlines = new Deadlines((now) => this.#sweep(now));

  readonly #pools: Set<ClientPool>;

  readonly http3: Http3Dialer | null;

  /** `pools` is the set of the thread's open pools, to which this pool is added. */
  constructor(settings: OriginSettings, pools: Set<ClientPool>, http3: Http3Dialer | null) {
    this.settings = settings;
    this.http3 = http3;
    this.#pools = pools;
    pools.add(this);
  }

  /** Returns the origin with this key, if it is in the pool. */
  find(key: string): Origin | undefined {
    return this.#origins.get(key);
  }

  add(place: OriginPlace): Origin {
    const origin = new Origin(this, place);
    this.#origins.set(origin.key, origin);
    return origin;
  }

  /** Adds the origin to the pool again when it has a new connection. */
  keep(origin: Origin): void {
    if (!this.#origins.has(origin.key)) this.#origins.set(origin.key, origin);
  }

  /** Removes the origin from the pool when it has no connections left. */
  drop(origin: Origin): void {
    if (this.#origins.get(origin.key) === origin) this.#origins.delete(origin.key);
    if (this.#origins.size === 0) this.#deadlines.stop();
  }

  watch(deadline: number): void {
    this.#deadlines.add(deadline);
  }

  *connections(): IterableIterator<UpstreamConnections> {
    for (const origin of this.#origins.values()) yield origin.connections;
  }

  #sweep(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const origin of [...this.#origins.values()]) next = Math.min(next, origin.sweep(now));
    return next;
  }

  retire(): void {
    this.retired = true;
    for (const origin of [...this.#origins.values()]) origin.retire();
  }

  close(): void {
    this.retired = this.closed = true;
    this.#pools.delete(this);
    for (const origin of [...this.#origins.values()]) origin.close();
    this.http3?.close();
    this.#deadlines.stop();
  }
}
