/** Cache directives in requests (RFC 9111 §5.2.1). */
import type { HeaderMap } from '@sluice/http1';
import { absent, noDirectives, parseDirectives, type Directives } from './directives.ts';
import type { Freshness } from './storing.ts';

/** Returns the cache directives of a request. If there is no Cache-Control header, Pragma applies (RFC 9111 §5.4). */
export function requestDirectives(headers: HeaderMap): Directives {
  const field = headers.joined('cache-control');
  if (field !== undefined) return parseDirectives(field);
  if (!headers.has('pragma')) return noDirectives;
  return (headers.get('pragma') ?? '').toLowerCase().includes('no-cache') ? parseDirectives('no-cache') : noDirectives;
}

/** Reports whether the request's directives rule out an otherwise fresh response. Times are in seconds. */
export function demandsMore(directives: Directives, age: number, left: number, immutable: boolean): boolean {
  if (directives.noCache) return true;
  // A browser reload sends max-age=0. An immutable response has not changed, so it may still be served (RFC 8246).
  if (directives.maxAge === 0) return !immutable;
  if (directives.maxAge !== absent && age > directives.maxAge) return true;
  return directives.minFresh !== absent && left < directives.minFresh;
}

/** Reports whether a stale response may be served without contacting the upstream. `staleFor` is the number of seconds since it expired. */
export function mayServeStale(freshness: Freshness, directives: Directives, staleFor: number): boolean {
  if (freshness.noCache || directives.noCache || directives.maxAge !== absent || directives.minFresh !== absent)
    return false;
  if (staleFor < 0) return false;
  if (staleFor < freshness.staleWhileRevalidate) return true;
  return !freshness.mustRevalidate && directives.maxStale !== absent && staleFor <= directives.maxStale;
}
