/** The handler of `http.handlers.cache`. */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import {
  attachmentKey,
  Exchange,
  HttpError,
  isHttpError,
  type ConnectionInfo,
  type HttpHandler,
  type Next,
  type Watch,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { Fetch } from './fetch.ts';
import type { Flight, Flights } from './flights.ts';
import { Invalidation, isUnsafe } from './invalidation.ts';
import type { KeyMaker } from './keys.ts';
import type { CacheMetrics, Outcome } from './metrics.ts';
import { NullResponse } from './null-response.ts';
import { absent, noDirectives, parseDirectives, type Directives } from './policy/directives.ts';
import type { StoringSettings } from './policy/storing.ts';
import { serveStored } from './serve.ts';
import type { CacheStore } from './store/cache-store.ts';
import type { Stored } from './store/stored.ts';

/** Settings of a handler. */
export interface CacheSettings {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly storing: StoringSettings;
  readonly maxBody: number;
  readonly defaultCacheControl: string;
  readonly excluded: { test(path: string): boolean } | null;
  readonly collapses: boolean;
  readonly ignoresRequest: boolean;
  /** Milliseconds; 0 for none. */
  readonly upstreamTimeout: number;
  readonly diskTimeout: number;
  readonly keys: KeyMaker;
  readonly log: Logger;
}

/** Marks a request that refreshes a stored response. */
const refreshed = attachmentKey<Stored>('http.handlers.cache.refreshed');

/** Fields of requests whose conditions are about the representation that the client has. */
const conditionFields = ['if-none-match', 'if-modified-since'];

/** Attempts of a request to wait for others that fail. */
const maxAttempts = 3;

const task = taskOf('http.handlers.cache');

/** Serves from the store, and stores what it passes. */
export class Cache implements HttpHandler {
  readonly settings: CacheSettings;
  readonly store: CacheStore;
  readonly metrics: CacheMetrics | null;
  readonly flights: Flights;

  constructor(settings: CacheSettings, store: CacheStore, flights: Flights, metrics: CacheMetrics | null) {
    this.settings = settings;
    this.store = store;
    this.flights = flights;
    this.metrics = metrics;
  }

  watched({ rehearsal }: Watch): HttpHandler {
    if (rehearsal === null) return this;
    return {
      handle: (exchange) => rehearsal.stop(exchange, 'the outcome of cache depends on stored responses'),
    };
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { settings } = this;
    if (!settings.methods.has(exchange.method)) return this.#pass(exchange, next, 'method');
    const { headers } = exchange;
    if (this.#isBypassed(exchange)) return this.#pass(exchange, next, 'bypass');
    const key = settings.keys.keyOf(exchange);
    const stale = exchange.attached(refreshed);
    if (stale !== undefined)
      return this.#lead(exchange, next, { key, stored: stale, directives: noDirectives, attempt: 0 });
    const stored = this.store.memory.find(key, headers);
    const directives = settings.ignoresRequest ? noDirectives : requestDirectives(headers);
    if (stored === null && this.store.mayHaveOnDisk(key))
      return this.#fromDisk(exchange, next, { key, stored, directives, attempt: 0 });
    return this.#respond(exchange, next, { key, stored, directives, attempt: 0 });
  }

  #isBypassed(exchange: Exchange): boolean {
    const { headers } = exchange;
    if (headers.has('upgrade') || headers.has('if-match') || headers.has('if-unmodified-since')) return true;
    return this.settings.excluded !== null && this.settings.excluded.test(exchange.path);
  }

  async #fromDisk(exchange: Exchange, next: Next, request: CacheRequest): Promise<void> {
    const stored = await this.store.load(request.key, exchange.headers, this.settings.diskTimeout);
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
      } else if (this.#mayServeStale(stored, directives, -left)) {
        if (-left < freshness.staleWhileRevalidate && directives.maxStale === absent)
          this.#refresh(exchange, key, stored);
        const served = this.#serve(exchange, stored, left, '; detail=stale');
        if (served !== false) return served;
      }
    }
    if (directives.onlyIfCached)
      throw new HttpError(504, 'the request has only-if-cached, and no stored response fits');
    return this.#fetch(exchange, next, request);
  }

  #mayServeStale({ freshness }: Stored, directives: Directives, staleFor: number): boolean {
    if (freshness.noCache || directives.noCache || directives.maxAge !== absent || directives.minFresh !== absent)
      return false;
    if (staleFor < 0) return false;
    if (staleFor < freshness.staleWhileRevalidate) return true;
    return !freshness.mustRevalidate && directives.maxStale !== absent && staleFor <= directives.maxStale;
  }

  /** Serves a stored response; false if it was removed meanwhile. */
  #serve(exchange: Exchange, stored: Stored, left: number, detail: string): void | Promise<void> | false {
    const open = stored.body === null && exchange.method !== 'HEAD' ? this.store.open(stored) : null;
    if (open === null && stored.body === null && exchange.method !== 'HEAD') return false;
    const cacheStatus = `${this.settings.name}; hit; ttl=${Math.floor(left)}${detail}`;
    this.metrics?.count(left > 0 ? 'hit' : 'stale');
    return serveStored({ exchange, stored, open, now: Date.now(), cacheStatus, request: exchange.headers });
  }

  /** Fetches from the upstream, or waits for another request that does. */
  #fetch(exchange: Exchange, next: Next, request: CacheRequest): void | Promise<void> {
    const { key } = request;
    if (!this.#isCollapsible(exchange, request)) return this.#lead(exchange, next, request, false);
    const flight = this.flights.get(key);
    if (flight !== undefined) return this.#follow(exchange, next, request, flight);
    const remote = this.store.memory.remoteFetch(key);
    if (remote !== null) return this.#followRemote(exchange, next, request, remote);
    return this.#lead(exchange, next, request);
  }

  #isCollapsible(exchange: Exchange, { key, attempt }: CacheRequest): boolean {
    if (!this.settings.collapses || exchange.method !== 'GET' || attempt >= maxAttempts) return false;
    const { headers } = exchange;
    if (headers.has('authorization') || headers.has('range')) return false;
    return !this.flights.isUnshared(key, Date.now());
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
    const stored = this.store.memory.find(request.key, exchange.headers);
    const now = Date.now();
    if (stored !== null && !stored.freshness.noCache) {
      const left = stored.freshness.lifetime - stored.age(now);
      const served = left > 0 && this.#serve(exchange, stored, left, '; collapsed');
      if (served !== false) return served;
    }
    return this.#fetch(exchange, next, { ...request, stored });
  }

  /** Asks the upstream. `isShared`: others may wait for the response. */
  #lead(exchange: Exchange, next: Next, request: CacheRequest, isShared = true): void | Promise<void> {
    const { key } = request;
    const flight = isShared ? this.flights.begin(key) : null;
    if (flight !== null) this.store.memory.announce(key);
    const fetch = new Fetch({ cache: this, exchange, request, flight });
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
    const open = stored.body === null && exchange.method !== 'HEAD' ? this.store.open(stored) : null;
    if (open === null && stored.body === null && exchange.method !== 'HEAD')
      throw new HttpError(502, 'the stored response was removed while it was revalidated');
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

  /** Passes a request on. An unsafe one invalidates (RFC 9111 §4.4). */
  #pass(exchange: Exchange, next: Next, reason: Outcome): void | Promise<void> {
    this.metrics?.count(reason);
    if (!isUnsafe(exchange.method)) {
      exchange.response.headers.append('cache-status', `${this.settings.name}; fwd=${reason}`);
      return next(exchange);
    }
    const filter = new Invalidation(exchange, this);
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

  /** Asks the upstream without a client (RFC 5861 §3), by the whole way of a request, as its client would. */
  #refresh(exchange: Exchange, key: string, stored: Stored): void {
    const { server, connection } = exchange;
    if (server === null || this.flights.get(key) !== undefined) return;
    const headers = exchange.originalHeaders.clone();
    for (const name of ['range', 'if-range', 'cache-control', 'pragma', ...conditionFields]) headers.delete(name);
    const response = new NullResponse();
    const peer: ConnectionInfo = {
      remoteAddress: connection.remoteAddress,
      remotePort: connection.remotePort,
      localAddress: connection.localAddress,
      localPort: connection.localPort,
      unix: connection.unix,
      tls: connection.tls,
      upgrade: () => null,
      destroy: () => {
        response.broken = 'the response was cut';
      },
    };
    const part = new Exchange(
      {
        method: 'GET',
        rawPath: exchange.originalRawPath,
        query: exchange.originalQuery,
        proto: exchange.proto,
        host: exchange.originalHost,
        headers,
      },
      peer,
      response,
    );
    part.attach(refreshed, stored);
    part.setVariable('log_skip', true);
    const pending = server.handle(part);
    if (pending !== undefined) unawaited(task, pending);
  }
}

/** A request and what is stored for it. */
export interface CacheRequest {
  readonly key: string;
  readonly stored: Stored | null;
  readonly directives: Directives;
  /** How often it has waited for another request that failed. */
  readonly attempt: number;
}

function requestDirectives(headers: HeaderMap): Directives {
  const field = headers.joined('cache-control');
  if (field !== undefined) return parseDirectives(field);
  if (!headers.has('pragma')) return noDirectives;
  return (headers.get('pragma') ?? '').toLowerCase().includes('no-cache') ? parseDirectives('no-cache') : noDirectives;
}

/** Reports whether a request wants a response that is fresher than a fresh one (RFC 9111 §5.2.1). */
function demandsMore(directives: Directives, age: number, left: number, immutable: boolean): boolean {
  if (directives.noCache) return true;
  // A client that reloads sends max-age=0: an immutable response has not changed (RFC 8246).
  if (directives.maxAge === 0) return !immutable;
  if (directives.maxAge !== absent && age > directives.maxAge) return true;
  return directives.minFresh !== absent && left < directives.minFresh;
}

/** Changes the fields of the request: conditions about the stored response, or none. */
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

/** Undoes what the response and the request to the upstream have changed. */
function restore({ exchange, base, request }: Fetch): void {
  replaceFields(exchange.response.headers, base);
  replaceFields(exchange.headers, request);
}

function replaceFields(fields: HeaderMap, by: HeaderMap): void {
  fields.clear();
  for (let i = 0; i < by.size; i++) fields.append(by.names[i] as string, by.values[i] as string);
}
