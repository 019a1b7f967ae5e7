/** Invalidates stored responses after unsafe requests (RFC 9111 §4.4). */
import { ResponseFilter, type Exchange } from '@sluice/http-app';
import type { CacheParts } from './parts.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY']);

/** Reports whether a request method is unsafe, which means that it may change the resource. */
export function isUnsafe(method: string): boolean {
  return !safe.has(method);
}

/** Response headers that contain the URLs of other changed resources. */
const locations = ['location', 'content-location'];

/** Response filter for unsafe requests. Removes the stored responses of changed resources before the client receives the response. */
export class Invalidation extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #cache: CacheParts;

  constructor(exchange: Exchange, cache: CacheParts) {
    super(exchange.response);
    this.#exchange = exchange;
    this.#cache = cache;
  }

  override writeHead(status: number): void {
    if (status >= 200 && status < 400 && this.inner.status === 0) this.#invalidate();
    this.inner.writeHead(status);
  }

  override end(chunk?: string | Buffer): void {
    // If no headers were written, the response gets status 200 at this point.
    if (this.inner.status === 0 && !this.inner.ended) this.#invalidate();
    this.inner.end(chunk);
  }

  override write(chunk: string | Buffer): boolean {
    if (this.inner.status === 0 && !this.inner.ended) this.#invalidate();
    return this.inner.write(chunk);
  }

  #invalidate(): void {
    const exchange = this.#exchange;
    const { keys } = this.#cache.settings;
    this.#removeBoth(keys.keyFor(exchange, exchange.uri));
    for (const name of locations) {
      const uri = sameHost(this.headers.get(name), exchange);
      if (uri !== null) this.#removeBoth(keys.keyFor(exchange, uri));
    }
  }

  #removeBoth(key: string): void {
    const scoped = this.#cache.settings.keys.scoped(this.#exchange, key);
    this.#remove(key);
    if (scoped !== key) this.#remove(scoped);
  }

  #remove(key: string): void {
    this.#cache.flights.forget(key);
    this.#cache.store.remove(key);
  }
}

/** Returns the path and query of a URL if it has the same host as the request. Otherwise, returns null. */
function sameHost(reference: string | undefined, { host, uri }: Exchange): string | null {
  if (reference === undefined || reference === '') return null;
  const base = `http://${host}${uri}`;
  if (!URL.canParse(reference, base)) return null;
  const url = new URL(reference, base);
  return url.host === new URL(base).host ? url.pathname + url.search : null;
}
