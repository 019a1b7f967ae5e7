import { HttpError, isHttpError, type Exchange, type HttpHandler, type Next, type Watch } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { Fetch } from './fetch.ts';
import type { Flight } from './flights.ts';
import { Invalidation, isUnsafe } from './invalidation.ts';
import type { Outcome } from './metrics.ts';
import type { CacheParts, CacheRequest } from './parts.ts';
import { noDirectives } from './policy/directives.ts';
import { demandsMore, mayServeStale, requestDirectives } from './policy/requests.ts';
import { conditionFields, refresh, refreshed } from './refresh.ts';
import { serveStored } from './serve.ts';
import type { Stored } from './store/stored.ts';

/** Maximum number of failed upstream requests that a client request waits for. After that, the client request is sent upstream separately. */
const maxAttempts = 3;

/** Serves responses from the cache and stores responses of the next handler. */
export class Cache implements HttpHandler {
  readonly #parts: CacheParts;

  constructor(parts: CacheParts) {
    this.#parts = parts;
  }

  watched({ rehearsal }: Watch): HttpHandler {
    if (rehearsal === null) return this;
    return {
      handle: (exchange, next) => {
        rehearsal.depends(exchange, 'stored responses');
        return next(exchange);
      },
    };
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { settings } = this.#parts;
    if (!settings.methods.has(exchange.method)) return this.#pass(exchange, next, 'method');
    const { headers } = exchange;
    if (this.#isBypassed(exchange)) return this.#pass(exchange, next, 'bypass');
    const key = settings.keys.keyOf(exchange);
    const stale = exchange.attached(refreshed);
    if (stale !== undefined)
      return this.#lead(exchange, next, { key, stored: stale, directives: noDirectives, attempt: 0 });
    const stored = this.#parts.store.memory.find(key, headers);
    const directives = settings.ignoresRequest ? noDirectives : requestDirectives(headers);
    if (stored === null && this.#parts.store.mayHaveOnDisk(key))
      return this.#fromDisk(exchange, next, { key, stored, directives, attempt: 0 });
    return this.#respond(exchange, next, { key, stored, directives, attempt: 0 });
  }

  #isBypassed(exchange: Exchange): boolean {
    const { headers } = exchange;
    if (exchange.body.length !== 0) return true;
    if (headers.has('upgrade') || headers.has('if-match') || headers.has('if-unmodified-since')) return true;
    return this.#parts.settings.excluded !== null && this.#parts.settings.excluded.test(exchange.path);
  }

  async #fromDisk(exchange: Exchange, next: Next, request: CacheRequest): Promise<void> {
    const stored = await this.#parts.store.load(request.key, exchange.headers, this.#parts.settings.diskTimeout);
    return this.#respond(exchange, next, { ...request, stored });
  }

  #respond(exchange: Exchange, next: Next, request: CacheRequest): void | Promise<void> {
    const { key, stored, directives } = request;
    const now = Date.now();
    if (stored !== null) {
      const { freshness } = stored;
      const age = stored.age(now);
      const left = freshness.lifetime - age;
      if (left > 0 && !freshness.noCache && !demandsMore(directives, age, left, freshness.immutable)) {
        const served = this.#serve(exchange, stored, left, '');
        if (served !== false) return served;
      } else if (mayServeStale(freshness, directives, -left)) {
        const isRefreshed = -left < freshness.staleWhileRevalidate && this.#parts.flights.get(key) === undefined;
        if (isRefreshed) refresh(exchange, stored);
        const served = this.#serve(exchange, stored, left, '; detail=stale');
        if (served !== false) return served;
      }
    }
    if (directives.onlyIfCached) return this.#respondMissing(exchange);
    return this.#fetch(exchange, next, request);
  }

  /**
   * Responds with 504 if nothing is cached and the client does not allow an upstream request (`only-if-cached`, RFC 9111 §5.2.1.7). This is
   * not a server failure.
   */
  #respondMissing({ response }: Exchange): void {
    response.headers.append('cache-status', `${this.#parts.settings.name}; fwd=miss; detail=only-if-cached`);
    response.headers.set('content-length', '0');
    response.writeHead(504);
    response.end();
  }

  /** Serves a stored response. Returns false if the response has been removed in the meantime. */
  #serve(exchange: Exchange, stored: Stored, left: number, detail: string): void | Promise<void> | false {
    const open = stored.body === null && exchange.method !== 'HEAD' ? this.#parts.store.open(stored) : null;
    if (open === null && stored.body === null && exchange.method !== 'HEAD') return false;
    const cacheStatus = `${this.#parts.settings.name}; hit; ttl=${Math.floor(left)}${detail}`;
    this.#parts.metrics?.count(left > 0 ? 'hit' : 'stale');
    return serveStored({ exchange, stored, open, now: Date.now(), cacheStatus, request: exchange.headers });
  }

  /** Sends a request upstream, or waits for another request that is already in flight. */
  #fetch(exchange: Exchange, next: Next, request: CacheRequest): void | Promise<void> {
    const { key } = request;
    if (!this.#isCollapsible(exchange, request)) return this.#lead(exchange, next, request, false);
    const flight = this.#parts.flights.get(key);
    if (flight !== undefined) return this.#follow(exchange, next, request, flight);
    const remote = this.#parts.store.memory.remoteFetch(key);
    if (remote !== null) return this.#followRemote(exchange, next, request, remote);
    return this.#lead(exchange, next, request);
  }

  #isCollapsible(exchange: Exchange, { key, attempt }: CacheRequest): boolean {
    if (!this.#parts.settings.collapses || exchange.method !== 'GET' || attempt >= maxAttempts) return false;
    const { headers } = exchange;
    if (headers.has('authorization') || headers.has('range')) return false;
    return !this.#parts.flights.isUnshared(key, Date.now());
  }

  async #follow(exchange: Exchange, next: Next, request: CacheRequest, flight: Flight): Promise<void> {
    const result = await flight.wait();
    if (exchange.aborted) return;
    const attempt = result === 'failed' ? request.attempt + 1 : maxAttempts;
    return this.#afterFlight(exchange, next, { ...request, attempt });
  }

  async #followRemote(exchange: Exchange, next: Next, request: CacheRequest, done: Promise<void>): Promise<void> {
    await done;
    if (exchange.aborted) return;
    return this.#afterFlight(exchange, next, { ...request, attempt: maxAttempts });
  }

  #afterFlight(exchange: Exchange, next: Next, request: CacheRequest): void | Promise<void> {
    const stored = this.#parts.store.memory.find(request.key, exchange.headers);
    const now = Date.now();
    if (stored !== null && !stored.freshness.noCache) {
      const left = stored.freshness.lifetime - stored.age(now);
      const served = left > 0 && this.#serve(exchange, stored, left, '; collapsed');
      if (served !== false) return served;
    }
    return this.#fetch(exchange, next, { ...request, stored });
  }

  /** Sends a request upstream. If `isShared` is true, other requests may wait for the response. */
  #lead(exchange: Exchange, next: Next, request: CacheRequest, isShared = true): void | Promise<void> {
    const { key } = request;
    const flight = isShared ? this.#parts.flights.begin(key) : null;
    if (flight !== null) this.#parts.store.memory.announce(key);
    const fetch = new Fetch({ cache: this.#parts, exchange, request, flight });
    exchange.response = fetch.captured;
    prepare(exchange, request.stored);
    let pending: void | Promise<void>;
    try {
      pending = next(exchange);
    } catch (error) {
      return this.#failed(fetch, error);
    }
    return pending === undefined ? this.#done(fetch) : this.#leadLater(fetch, pending);
  }

  async #leadLater(fetch: Fetch, pending: Promise<void>): Promise<void> {
    try {
      await pending;
    } catch (error) {
      return this.#failed(fetch, error);
    }
    return this.#done(fetch);
  }

  #done(fetch: Fetch): void | Promise<void> {
    const { exchange, captured } = fetch;
    captured.finish();
    exchange.response = captured.inner;
    fetch.settle();
    const { serving } = fetch;
    if (serving === null) return undefined;
    restore(fetch);
    const { stored } = serving;
    const open = stored.body === null && exchange.method !== 'HEAD' ? this.#parts.store.open(stored) : null;
    if (open === null && stored.body === null && exchange.method !== 'HEAD')
      throw new HttpError(502, 'the stored response was removed while it was being revalidated');
    return serveStored({ exchange, open, now: Date.now(), request: fetch.request, ...serving });
  }

  #failed(fetch: Fetch, error: unknown): void | Promise<void> {
    const { exchange, captured } = fetch;
    captured.fail();
    exchange.response = captured.inner;
    const isUpstream = isHttpError(error) && error.status >= 500 && error.status <= 504;
    if (isUpstream && exchange.response.status === 0 && fetch.useStale()) return this.#done(fetch);
    fetch.settle();
    throw error;
  }

  /** Passes a request to the next handler without using the cache. An unsafe request invalidates stored responses (RFC 9111 §4.4). */
  #pass(exchange: Exchange, next: Next, reason: Outcome): void | Promise<void> {
    this.#parts.metrics?.count(reason);
    if (!isUnsafe(exchange.method)) {
      exchange.response.headers.append('cache-status', `${this.#parts.settings.name}; fwd=${reason}`);
      return next(exchange);
    }
    const filter = new Invalidation(exchange, this.#parts);
    exchange.response = filter;
    let pending: void | Promise<void>;
    try {
      pending = next(exchange);
    } catch (error) {
      exchange.response = filter.inner;
      throw error;
    }
    if (pending === undefined) {
      exchange.response = filter.inner;
      return undefined;
    }
    return pending.finally(() => {
      exchange.response = filter.inner;
    });
  }
}

/** Sets request headers that validate the stored response. If there is no stored response, removes the client's conditional headers. */
function prepare(exchange: Exchange, stored: Stored | null): void {
  const { headers } = exchange;
  exchange.keepOriginalHeaders();
  if (exchange.method !== 'GET' || (headers.has('range') && stored === null)) return;
  for (const name of conditionFields) headers.delete(name);
  if (stored === null) return;
  headers.delete('range');
  headers.delete('if-range');
  if (!stored.hasValidator) return;
  const etag = stored.field('etag');
  const modified = stored.field('last-modified');
  if (etag !== '') headers.set('if-none-match', etag);
  if (modified !== '') headers.set('if-modified-since', modified);
}

/** Restores the request and response headers that were changed for the upstream request. */
function restore({ exchange, base, request }: Fetch): void {
  replaceFields(exchange.response.headers, base);
  replaceFields(exchange.headers, request);
}

function replaceFields(fields: HeaderMap, by: HeaderMap): void {
  fields.clear();
  for (let i = 0; i < by.size; i++) fields.append(by.names[i] as string, by.values[i] as string);
}
