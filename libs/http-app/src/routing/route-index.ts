/** Finds the routes that can match a request by host and path, in list order. */
import { LayeredMap } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { hostKey, pathKey, wildcardKey } from './keys.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { routingOf } from './routing-state.ts';

type Bucket = readonly CompiledRoute[];

/** An immutable route index. {@link splice} creates a new index. Its cost is proportional to the number of changed routes. */
export class RouteIndex {
  readonly #hosts: LayeredMap<string, Bucket>;
  readonly #paths: LayeredMap<string, Bucket>;
  /** Routes without index keys, which must always be tested. */
  readonly unkeyed: Bucket;
  /** Host of the last lookup, cached with its result. Most requests have the same host as the previous request. */
  #host: string | null = null;
  #ofHost: Bucket | undefined = undefined;
  #ofWildcard: Bucket | undefined = undefined;

  private constructor(hosts: LayeredMap<string, Bucket>, paths: LayeredMap<string, Bucket>, unkeyed: Bucket) {
    this.#hosts = hosts;
    this.#paths = paths;
    this.unkeyed = unkeyed;
  }

  static of(entries: Iterable<CompiledRoute>): RouteIndex {
    const hosts = new Map<string, CompiledRoute[]>();
    const paths = new Map<string, CompiledRoute[]>();
    const unkeyed: CompiledRoute[] = [];
    for (const entry of entries) {
      const { keys } = entry.route;
      if (keys === null) unkeyed.push(entry);
      else {
        for (const key of keys.hosts) put(hosts, key, entry);
        for (const key of keys.paths) put(paths, key, entry);
      }
    }
    return new RouteIndex(new LayeredMap(hosts), new LayeredMap(paths), unkeyed);
  }

  splice(removed: readonly CompiledRoute[], added: readonly CompiledRoute[]): RouteIndex {
    const hosts = changesOf(this.#hosts, 'hosts', removed, added);
    const paths = changesOf(this.#paths, 'paths', removed, added);
    const unkeyed =
      removed.some((entry) => entry.route.keys === null) || added.some((entry) => entry.route.keys === null)
        ? replaceEntries(
            this.unkeyed,
            removed,
            added.filter((entry) => entry.route.keys === null),
          )
        : this.unkeyed;
    return new RouteIndex(
      hosts.size === 0 ? this.#hosts : this.#hosts.with(hosts),
      paths.size === 0 ? this.#paths : this.#paths.with(paths),
      unkeyed,
    );
  }

  /** Returns the first keyed route after `rank` that can match the exchange's host and path. Often reuses the previous lookup result. */
  following(exchange: Exchange, rank: number): CompiledRoute | null {
    const state = routingOf(exchange);
    const { lookup } = state;
    if (
      lookup instanceof RouteLookup &&
      lookup.index === this &&
      lookup.host === exchange.host &&
      lookup.path === exchange.rawPath
    ) {
      if (rank >= lookup.from && (lookup.found === null || lookup.found.rank > rank)) return lookup.found;
      lookup.from = rank;
      lookup.found = this.#find(exchange, rank);
      return lookup.found;
    }
    const found = this.#find(exchange, rank);
    state.lookup = new RouteLookup(this, exchange, rank, found);
    return found;
  }

  #find(exchange: Exchange, rank: number): CompiledRoute | null {
    let best: CompiledRoute | null = null;
    if (this.#hosts.size > 0) {
      if (exchange.host !== this.#host) this.#lookUpHost(exchange.host);
      best = better(this.#ofWildcard, rank, better(this.#ofHost, rank, null));
    }
    return this.#paths.size > 0 ? this.#byPath(exchange, rank, best) : best;
  }

  #lookUpHost(host: string): void {
    const key = hostKey(host);
    const wildcard = wildcardKey(key);
    this.#host = host;
    this.#ofHost = this.#hosts.get(key);
    this.#ofWildcard = wildcard === '' ? undefined : this.#hosts.get(wildcard);
  }

  #byPath(exchange: Exchange, rank: number, found: CompiledRoute | null): CompiledRoute | null {
    const path = pathKey(exchange);
    if (path === null) return this.#byAnyPath(rank, found);
    let best = better(this.#paths.get(path), rank, found);
    for (let slash = path.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
      best = better(this.#paths.get(`${path.slice(0, slash + 1)}*`), rank, best);
    }
    return best;
  }

  /** Considers all routes that have path keys. Used for paths that need normalization. Such paths are rare, so this search may be slow. */
  #byAnyPath(rank: number, found: CompiledRoute | null): CompiledRoute | null {
    let best = found;
    for (const [, bucket] of this.#paths) best = better(bucket, rank, best);
    return best;
  }
}

function put(map: Map<string, CompiledRoute[]>, key: string, entry: CompiledRoute): void {
  const bucket = map.get(key);
  if (bucket === undefined) map.set(key, [entry]);
  else bucket.push(entry);
}

function changesOf(
  map: LayeredMap<string, Bucket>,
  kind: 'hosts' | 'paths',
  removed: readonly CompiledRoute[],
  added: readonly CompiledRoute[],
): Map<string, Bucket | undefined> {
  const changes = new Map<string, Bucket | undefined>();
  const now = (key: string): Bucket => (changes.has(key) ? changes.get(key) : map.get(key)) ?? [];
  for (const entry of removed)
    for (const key of entry.route.keys?.[kind] ?? []) changes.set(key, replaceEntries(now(key), [entry], []));
  for (const entry of added)
    for (const key of entry.route.keys?.[kind] ?? []) changes.set(key, replaceEntries(now(key), [], [entry]));
  for (const [key, bucket] of changes) if (bucket?.length === 0) changes.set(key, undefined);
  return changes;
}

function replaceEntries(bucket: Bucket, removed: readonly CompiledRoute[], added: readonly CompiledRoute[]): Bucket {
  const gone = new Set(removed);
  return [...bucket.filter((entry) => !gone.has(entry)), ...added].sort((a, b) => a.rank - b.rank);
}

/** Returns the index of the first bucket entry after `rank`. */
export function firstBehind(bucket: Bucket, rank: number): number {
  let low = 0;
  let high = bucket.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bucket[middle] as CompiledRoute).rank > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns `best` or the first bucket entry after `rank`, whichever has the lower rank. */
function better(bucket: Bucket | undefined, rank: number, best: CompiledRoute | null): CompiledRoute | null {
  const entry = bucket?.[firstBehind(bucket, rank)];
  return entry === undefined || (best !== null && best.rank < entry.rank) ? best : entry;
}

/** The last index lookup of an exchange. */
class RouteLookup {
  readonly index: RouteIndex;
  readonly host: string;
  readonly path: string;
  /** Rank after which the last lookup started. */
  from: number;
  found: CompiledRoute | null;

  constructor(index: RouteIndex, { host, rawPath }: Exchange, from: number, found: CompiledRoute | null) {
    this.index = index;
    this.host = host;
    this.path = rawPath;
    this.from = from;
    this.found = found;
  }
}
