/** Handles an upstream request: determines how its response affects the store, the client and waiting requests. */
import { guarded } from '@sluice/base';
import { HttpError, isStreamingResponse, type Exchange, type ResponseWriter } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { evaluate } from '../file_server/conditions.ts';
import type { Budget } from './budget.ts';
import type { CacheParts, CacheRequest } from './parts.ts';
import { CapturedResponse, type Capture, type HeadDecision } from './captured-response.ts';
import type { Flight, FlightResult } from './flights.ts';
import { parseDate } from './policy/dates.ts';
import { parseDirectives } from './policy/directives.ts';
import { storedFreshness } from './policy/storing.ts';
import { dropContent } from './serve.ts';
import { selectingValue, type Stored, type StoredHead } from './store/stored.ts';
import { tagsOf } from './tags.ts';

/** Headers that are not stored: connection headers, and headers that are specific to one client. */
const unstored = new Set([
  'age',
  'cache-status',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that a 304 response must not change, because they describe the stored body (RFC 9111 §3.2). */
const ofBody = new Set(['content-encoding', 'content-length', 'content-range', 'content-type', 'transfer-encoding']);

const errors = new Set([500, 502, 503, 504]);

export interface FetchParts {
  readonly cache: CacheParts;
  readonly exchange: Exchange;
  readonly request: CacheRequest;
  /** Upstream request that other requests can wait for. `null` if no other request may share its response. */
  readonly flight: Flight | null;
}

/** An upstream request in progress. */
export class Fetch implements Capture {
  readonly exchange: Exchange;
  /** Original headers of the client request. */
  readonly request: HeaderMap;
  /** Headers that were set on the response before the upstream request. */
  readonly base: HeaderMap;
  readonly captured: CapturedResponse;
  /** Stored response to send instead of the upstream response. */
  serving: { readonly stored: Stored; readonly cacheStatus: string } | null = null;
  readonly #parts: FetchParts;
  readonly #requestedAt = Date.now();
  #head: StoredHead | null = null;
  #isOpen = true;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: FetchParts) {
    this.#parts = parts;
    const { exchange, cache } = parts;
    this.exchange = exchange;
    this.request = exchange.headers.clone();
    this.base = exchange.response.headers.clone();
    this.captured = new CapturedResponse(exchange, this);
    const { upstreamTimeout } = cache.settings;
    if (upstreamTimeout > 0)
      this.#timer = setTimeout(
        guarded(exchange, () =>
          exchange.fault(new HttpError(504, `the upstream did not respond within ${upstreamTimeout} ms`)),
        ),
        upstreamTimeout,
      ).unref();
  }

  get maxSize(): number {
    return this.#parts.cache.settings.maxBody;
  }

  get budget(): Budget {
    return this.#parts.cache.budget;
  }

  get isAwaited(): boolean {
    return this.#parts.flight?.isAwaited ?? false;
  }

  decide(status: number, headers: HeaderMap): HeadDecision {
    this.#stopTimer();
    const { exchange, request } = this.#parts;
    const { stored } = request;
    if (exchange.method !== 'GET') return this.#pass(status, headers, false);
    if (stored !== null) {
      if (status === 304) {
        this.#validated(stored, headers);
        return 'swallow';
      }
      if (errors.has(status) && this.useStale()) return 'swallow';
    }
    const head = isStreamingResponse(headers) || request.directives.noStore ? null : this.#headOf(status, headers);
    const length = Number(headers.get('content-length') ?? 0);
    if (head === null || length > this.maxSize) return this.#pass(status, headers, status < 500 && status !== 206);
    this.#head = head;
    this.#describe(headers, `; fwd-status=${status}; stored`);
    return 'keep';
  }

  respondShort(status: number, inner: ResponseWriter): boolean {
    const { request } = this;
    if (status !== 200 || this.#parts.exchange.method !== 'GET' || this.request.has('range')) return false;
    if (!request.has('if-none-match') && !request.has('if-modified-since')) return false;
    const { headers } = inner;
    const modified = parseDate(headers.get('last-modified') ?? '');
    if (evaluate(request, { etag: headers.get('etag') ?? '', modified }, true) !== 304) return false;
    dropContent(headers);
    inner.writeHead(304);
    inner.end();
    return true;
  }

  kept(body: readonly Buffer[]): void {
    const { cache, request } = this.#parts;
    const isStored = this.#head !== null && cache.store.put(request.key, this.#head, body, this.#requestedAt);
    if (isStored) cache.metrics?.count('stored');
    this.#end(isStored ? 'stored' : 'unshared');
  }

  dropped(): void {
    this.#end(this.#parts.exchange.aborted ? 'failed' : 'unshared');
  }

  /** Serves a stale response because the upstream has failed. Returns false if the caching policy forbids this. */
  useStale(): boolean {
    const { request, cache } = this.#parts;
    const { stored, directives } = request;
    if (stored === null || stored.freshness.noCache || directives.noCache) return false;
    const { lifetime, staleIfError } = stored.freshness;
    if (stored.age(Date.now()) >= lifetime + staleIfError) return false;
    cache.metrics?.count('stale');
    this.serving = { stored, cacheStatus: `${cache.settings.name}; hit; fwd=stale; detail=stale-if-error` };
    return true;
  }

  /** Called when all handlers have finished. */
  settle(): void {
    this.#stopTimer();
    this.#end(this.exchange.aborted ? 'failed' : 'unshared');
  }

  #pass(status: number, headers: HeaderMap, isUnshared: boolean): HeadDecision {
    const { cache, request } = this.#parts;
    if (isUnshared) cache.flights.noteUnshared(request.key, Date.now());
    this.#end('unshared');
    this.#describe(headers, `; fwd-status=${status}`);
    return 'pass';
  }

  #describe(headers: HeaderMap, rest: string): void {
    const { cache, request } = this.#parts;
    const reason = this.#reason();
    cache.metrics?.count(request.stored === null ? 'miss' : 'revalidated');
    headers.append('cache-status', `${cache.settings.name}; fwd=${reason}${rest}`);
  }

  /** Returns the value of the `fwd` parameter in the `Cache-Status` header (RFC 9211). */
  #reason(): string {
    const { cache, request } = this.#parts;
    const { key, stored, directives } = request;
    if (stored === null) return cache.store.memory.variants(key).length === 0 ? 'uri-miss' : 'vary-miss';
    return directives.noCache || directives.maxAge >= 0 ? 'request' : 'stale';
  }

  /** Returns the headers to store. Returns `null` if the response must not be stored. */
  #headOf(status: number, headers: HeaderMap): StoredHead | null {
    const { cache } = this.#parts;
    const { storing, defaultCacheControl } = cache.settings;
    if (defaultCacheControl !== '' && !headers.has('cache-control')) headers.set('cache-control', defaultCacheControl);
    const respondedAt = Date.now();
    const isAuthorized = this.request.has('authorization');
    const hasCookies = this.request.has('cookie');
    const arrived = { status, headers, isAuthorized, hasCookies, requestedAt: this.#requestedAt, respondedAt };
    const freshness = storedFreshness(arrived, storing);
    if (freshness === null) return null;
    const { names, values } = this.#storedFields(headers, respondedAt);
    const varyNames = varyOf(headers);
    return {
      status,
      names,
      values,
      varyNames,
      varyValues: varyNames.map((name) => selectingValue(this.request, name)),
      time: respondedAt,
      freshness,
      tags: tagsOf(headers),
    };
  }

  #storedFields(headers: HeaderMap, respondedAt: number): { names: string[]; values: string[] } {
    const { base } = this;
    const unlisted = parseDirectives(headers.joined('cache-control')).fields;
    const names: string[] = [];
    const values: string[] = [];
    for (let i = 0; i < headers.size; i++) {
      const name = headers.names[i] as string;
      const value = headers.values[i] as string;
      if (unstored.has(name) || unlisted?.includes(name) === true || hasLine(base, name, value)) continue;
      names.push(name);
      values.push(value);
    }
    if (!names.includes('date')) {
      names.push('date');
      values.push(new Date(respondedAt).toUTCString());
    }
    return { names, values };
  }

  /** Updates the headers of a stored response that the upstream has validated (RFC 9111 §4.3.4). */
  #validated(stored: Stored, headers: HeaderMap): void {
    const { cache } = this.#parts;
    const merged = stored.headers();
    const { names } = headers;
    const updates = this.#storedFields(headers, Date.now());
    for (const name of names) if (!ofBody.has(name)) merged.delete(name);
    // Remove the cookie, which was meant for the client of the original request.
    merged.delete('set-cookie');
    for (let i = 0; i < updates.names.length; i++) {
      const name = updates.names[i] as string;
      if (ofBody.has(name)) continue;
      if (name === 'date') merged.delete(name);
      merged.append(name, updates.values[i] as string);
    }
    const age = headers.get('age');
    if (age !== undefined) merged.set('age', age);
    const head = this.#headOf(stored.status, merged);
    const updated = head === null ? null : cache.store.update(stored, head, this.#requestedAt);
    if (head === null) cache.store.memory.removeStored(stored);
    cache.metrics?.count('revalidated');
    const cacheStatus = `${cache.settings.name}; hit; fwd=${this.#reason()}; fwd-status=304`;
    this.serving = { stored: updated ?? stored, cacheStatus };
    this.#end(updated === null ? 'unshared' : 'stored');
  }

  #end(result: FlightResult): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { flight, cache, request } = this.#parts;
    if (flight === null) return;
    cache.flights.end(request.key, flight, result);
    cache.store.memory.announceEnd(request.key);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function hasLine(headers: HeaderMap, name: string, value: string): boolean {
  for (let i = 0; i < headers.size; i++) if (headers.names[i] === name && headers.values[i] === value) return true;
  return false;
}

function varyOf(headers: HeaderMap): string[] {
  const vary = headers.joined('vary');
  if (vary === undefined) return [];
  const names = new Set(vary.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  return [...names].sort();
}
