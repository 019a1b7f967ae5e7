/** All connections that are made with equal settings, by address. Kept over changes of the configuration. */
import { Deadlines, type UpstreamConnections } from '@sluice/http-app';
import type { Pooled } from '@sluice/registry';
import { Origin, type OriginPlace, type OriginPool } from './origin.ts';
import type { OriginSettings } from './origin-settings.ts';

/** A pool of connections. */
export class ClientPool implements Pooled, OriginPool {
  readonly settings: OriginSettings;
  /** Connections that no request uses, of all addresses. Kept by the origins. */
  idle = 0;
  /** No configuration uses it any more: nothing is kept for later. */
  retired = false;
  closed = false;
  readonly #origins = new Map<string, Origin>();
  readonly #deadlines: Deadlines = new Deadlines((now) => this.#sweep(now));

  readonly #pools: Set<ClientPool>;

  /** `pools`: those of the thread; this one is among them until it is closed. */
  constructor(settings: OriginSettings, pools: Set<ClientPool>) {
    this.settings = settings;
    this.#pools = pools;
    pools.add(this);
  }

  /** The origin of a key, if there are connections to it. */
  find(key: string): Origin | undefined {
    return this.#origins.get(key);
  }

  /** Makes an origin that is not there yet. */
  add(place: OriginPlace): Origin {
    const origin = new Origin(this, place);
    this.#origins.set(origin.key, origin);
    return origin;
  }

  /** An origin has a connection again. */
  keep(origin: Origin): void {
    if (!this.#origins.has(origin.key)) this.#origins.set(origin.key, origin);
  }

  /** An origin has no connection any more. */
  drop(origin: Origin): void {
    if (this.#origins.get(origin.key) === origin) this.#origins.delete(origin.key);
    if (this.#origins.size === 0) this.#deadlines.stop();
  }

  watch(deadline: number): void {
    this.#deadlines.add(deadline);
  }

  /** Connections now, by origin. */
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
    this.#deadlines.stop();
  }
}
