/** Determines which responses may be stored and for how long (RFC 9111 §3 and §4.2). */
import type { HeaderMap } from '@sluice/http1';
import { parseDate } from './dates.ts';
import {
  absent,
  noDirectives,
  parseDirectives,
  parseTargeted,
  secondsOf,
  splitList,
  type Directives,
} from './directives.ts';

/** Settings that determine which responses are stored. Times are in seconds. */
export interface StoringSettings {
  /** Default lifetime for responses without an explicit lifetime. If 0, the lifetime is only derived from Last-Modified. */
  readonly ttl: number;
  /** Default time after expiration during which a response may be served stale if the upstream fails. */
  readonly stale: number;
  /** Lowercase names of targeted cache-control headers. If a response contains several, the one that comes first in this list applies. */
  readonly targeted: readonly string[];
  /** Additional statuses, beyond RFC 9110 §15.1, that are stored even without an explicit lifetime. */
  readonly statuses: ReadonlySet<number>;
  /** True to ignore the caching directives in responses. */
  readonly ignoresResponse: boolean;
}

/** Lifetime of a stored response, and restrictions on serving it. Times are in seconds. */
export interface Freshness {
  /** Age of the response when it was received. */
  readonly initialAge: number;
  readonly lifetime: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** True if the response must be validated before each use. */
  readonly noCache: boolean;
  /** True if the response must never be served stale, even if the client or the configuration allows stale responses. */
  readonly mustRevalidate: boolean;
  /** True if a browser reload must not cause a revalidation of the response (RFC 8246). */
  readonly immutable: boolean;
}

/** Properties of a received response that determine its freshness. */
export interface Arrived {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly isAuthorized: boolean;
  readonly hasCookies: boolean;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly respondedAt: number;
}

/** Statuses that may be stored without an explicit lifetime (RFC 9110 §15.1). */
const heuristic = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** Statuses whose caching requirements this cache implements. `must-understand` refers to them (RFC 9111 §5.2.2.3). */
const understood = new Set([...heuristic, 302, 303, 307, 400, 401, 403, 500, 502, 503, 504]);
/** Heuristic lifetime as a fraction of the time since the last modification (RFC 9111 §4.2.2), and its maximum in seconds. */
const heuristicFraction = 0.1;
const maxHeuristic = 24 * 3600;

/** Returns the freshness of a response. Returns `null` if the response must not be stored or could never be served. */
export function storedFreshness(arrived: Arrived, settings: StoringSettings): Freshness | null {
  const { status, headers } = arrived;
  if (status < 200 || status === 206 || status === 304 || status > 599) return null;
  if (isStar(headers.joined('vary'))) return null;
  const targeted = targetedOf(headers, settings.targeted);
  const directives = settings.ignoresResponse
    ? noDirectives
    : (targeted ?? parseDirectives(headers.joined('cache-control')));
  if (!mayStore(arrived, directives)) return null;
  const date = dateOf(headers, arrived.respondedAt);
  const explicit = settings.ignoresResponse ? absent : explicitLifetime(headers, directives, targeted !== null, date);
  if (explicit === absent ? !hasImplicitLifetime(arrived, directives, settings) : explicit === 0 && setsCookie(headers))
    return null;
  const lifetime = explicit === absent ? implicitLifetime(arrived, directives, settings, date) : explicit;
  const freshness = freshnessOf(arrived, directives, settings.stale, { explicit, lifetime, date });
  return freshness.lifetime > 0 || freshness.staleWhileRevalidate > 0 || hasValidator(headers) ? freshness : null;
}

/** Reports whether `Vary` contains `*`. Such a response matches no later request (RFC 9111 §4.1). */
function isStar(vary: string | undefined): boolean {
  return vary !== undefined && vary.includes('*') && splitList(vary).includes('*');
}

function mayStore({ status, isAuthorized }: Arrived, directives: Directives): boolean {
  if (directives.mustUnderstand ? !understood.has(status) : directives.noStore) return false;
  if (directives.isPrivate) return false;
  return !isAuthorized || directives.isPublic || directives.mustRevalidate || directives.sharedMaxAge !== absent;
}

function targetedOf(headers: HeaderMap, names: readonly string[]): Directives | null {
  for (const name of names) {
    const value = headers.joined(name);
    const directives = value === undefined ? null : parseTargeted(value);
    if (directives !== null) return directives;
  }
  return null;
}

function dateOf(headers: HeaderMap, respondedAt: number): number {
  const date = parseDate(headers.get('date') ?? '');
  return Number.isNaN(date) ? respondedAt : date;
}

function explicitLifetime(headers: HeaderMap, directives: Directives, isTargeted: boolean, date: number): number {
  if (directives.sharedMaxAge !== absent) return directives.sharedMaxAge;
  if (directives.maxAge !== absent) return directives.maxAge;
  // A targeted header also takes precedence over Expires (RFC 9213 §2.1).
  if (isTargeted || !headers.has('expires')) return absent;
  const lines = headers.all('expires');
  const expires = lines.length === 1 ? parseDate(lines[0] as string) : Number.NaN;
  return Number.isNaN(expires) ? 0 : Math.max(0, Math.floor((expires - date) / 1000));
}

/** Lifetime and creation time of a response. The lifetime is in seconds, or {@link absent} if it is not explicit. */
interface Lifetime {
  readonly explicit: number;
  readonly lifetime: number;
  readonly date: number;
}

function freshnessOf(
  { headers, requestedAt, respondedAt }: Arrived,
  directives: Directives,
  stale: number,
  { explicit, lifetime, date }: Lifetime,
): Freshness {
  const age = secondsOf((headers.get('age') ?? '').split(',', 1)[0]?.trim() ?? '');
  const delay = Math.max(0, respondedAt - requestedAt) / 1000;
  const forbidsStale = directives.mustRevalidate || directives.proxyRevalidate || directives.noCache;
  const mustRevalidate = forbidsStale || directives.sharedMaxAge !== absent;
  const pragma = !headers.has('cache-control') && (headers.get('pragma') ?? '').toLowerCase().includes('no-cache');
  return {
    initialAge: Math.max((respondedAt - date) / 1000, Math.max(0, age) + delay, 0),
    lifetime,
    // If the response contains `s-maxage`, only the response itself can permit serving it stale. The configuration can't.
    staleWhileRevalidate: forbidsStale ? 0 : Math.max(0, directives.staleWhileRevalidate),
    staleIfError: forbidsStale
      ? 0
      : directives.staleIfError === absent
        ? mustRevalidate
          ? 0
          : stale
        : directives.staleIfError,
    noCache: directives.noCache || (pragma && explicit === absent),
    mustRevalidate,
    immutable: directives.immutable,
  };
}

/** Reports whether a response may be stored without an explicit lifetime (RFC 9111 §3). */
function hasImplicitLifetime({ status, headers }: Arrived, directives: Directives, settings: StoringSettings): boolean {
  return !setsCookie(headers) && (heuristic.has(status) || settings.statuses.has(status) || directives.isPublic);
}

/**
 * Reports whether a response sets cookies. Cookies are specific to one client. Such a response is stored only if it explicitly declares
 * that it is fresh for all clients.
 */
function setsCookie(headers: HeaderMap): boolean {
  return headers.has('set-cookie');
}

/**
 * Returns the default lifetime of a response. A response to a request with cookies is often specific to one client, so it has no default
 * lifetime.
 */
function implicitLifetime(
  { headers, hasCookies }: Arrived,
  directives: Directives,
  { ttl, ignoresResponse }: StoringSettings,
  date: number,
): number {
  if (directives.noCache) return 0;
  if (ttl > 0 && (!hasCookies || ignoresResponse)) return ttl;
  const modified = parseDate(headers.get('last-modified') ?? '');
  if (Number.isNaN(modified) || modified >= date) return 0;
  return Math.min(maxHeuristic, Math.floor(((date - modified) / 1000) * heuristicFraction));
}

function hasValidator(headers: HeaderMap): boolean {
  return headers.has('etag') || headers.has('last-modified');
}
