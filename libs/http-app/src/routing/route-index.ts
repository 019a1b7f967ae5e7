/** Finds the routes of a list that can match an exchange, by host and path, in the order of the list. */
import { LayeredMap } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import { hostKey, pathKey, wildcardKey } from './keys.ts';
import type { CompiledRoute } from './route-list.ts';

/** Routes under one key, by rank. */
type Bucket = readonly CompiledRoute[];

/** An immutable index; {@link splice} makes a new one at the cost of the routes that changed. */
export class RouteIndex {
  readonly #hosts: LayeredMap<string, Bucket>;
  readonly #paths: LayeredMap<string, Bucket>;
  /** Routes without keys: they are asked in their place. */
  readonly #others: Bucket;

  private constructor(hosts: LayeredMap<string, Bucket>, paths: LayeredMap<string, Bucket>, others: Bucket) {
    this.#hosts = hosts;
    this.#paths = paths;
    this.#others = others;
  }

  /** Indexes a list. */
  static of(entries: readonly CompiledRoute[]): RouteIndex {
    const hosts = new Map<string, CompiledRoute[]>();
    const paths = new Map<string, CompiledRoute[]>();
    const others: CompiledRoute[] = [];
    for (const entry of entries) {
      const { keys } = entry.route;
      if (keys === null) others.push(entry);
      else {
        for (const key of keys.hosts) put(hosts, key, entry);
        for (const key of keys.paths) put(paths, key, entry);
      }
    }
    return new RouteIndex(new LayeredMap(hosts), new LayeredMap(paths), others);
  }

  /** The index of the list in which some routes were replaced by others. */
  splice(removed: readonly CompiledRoute[], added: readonly CompiledRoute[]): RouteIndex {
    const hosts = changesOf(this.#hosts, 'hosts', removed, added);
    const paths = changesOf(this.#paths, 'paths', removed, added);
    const others =
      removed.some((entry) => entry.route.keys === null) || added.some((entry) => entry.route.keys === null)
        ? replaceEntries(
            this.#others,
            removed,
            added.filter((entry) => entry.route.keys === null),
          )
        : this.#others;
    return new RouteIndex(
      hosts.size === 0 ? this.#hosts : this.#hosts.with(hosts),
      paths.size === 0 ? this.#paths : this.#paths.with(paths),
      others,
    );
  }

  /** The first route behind `rank` that can match. The host and path of the exchange count as they are now. */
  following(exchange: Exchange, rank: number): CompiledRoute | null {
    let best = firstBehind(this.#others, rank, null);
    if (this.#hosts.size > 0) {
      const host = hostKey(exchange.host);
      best = firstBehind(this.#hosts.get(host), rank, best);
      const wildcard = wildcardKey(host);
      if (wildcard !== '') best = firstBehind(this.#hosts.get(wildcard), rank, best);
    }
    if (this.#paths.size > 0) best = this.#byPath(exchange, rank, best);
    return best;
  }

  #byPath(exchange: Exchange, rank: number, found: CompiledRoute | null): CompiledRoute | null {
    const path = pathKey(exchange);
    if (path === null) return this.#byAnyPath(rank, found);
    let best = firstBehind(this.#paths.get(path), rank, found);
    for (let slash = path.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
      best = firstBehind(this.#paths.get(`${path.slice(0, slash + 1)}*`), rank, best);
    }
    return best;
  }

  /** A path that would have to be cleaned first: every route with path keys is a candidate. Rare, so it may be slow. */
  #byAnyPath(rank: number, found: CompiledRoute | null): CompiledRoute | null {
    let best = found;
    for (const [, bucket] of this.#paths) best = firstBehind(bucket, rank, best);
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

/** The better of `best` and the first entry of a bucket behind `rank`. Buckets are short but for hosts of many routes. */
function firstBehind(bucket: Bucket | undefined, rank: number, best: CompiledRoute | null): CompiledRoute | null {
  if (bucket === undefined || bucket.length === 0) return best;
  let low = 0;
  if (rank >= (bucket[0] as CompiledRoute).rank) {
    let high = bucket.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((bucket[middle] as CompiledRoute).rank > rank) high = middle;
      else low = middle + 1;
    }
    if (low === bucket.length) return best;
  }
  const entry = bucket[low] as CompiledRoute;
  return best === null || entry.rank < best.rank ? entry : best;
}
