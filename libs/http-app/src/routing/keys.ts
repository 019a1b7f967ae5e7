/** Index keys of routes, and the keys that a request uses to look up routes. */
import { lowerCase } from '@sluice/base';
import { bareHostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpMatcher, RouteKeys } from '../handler.ts';

const none: readonly string[] = Object.freeze([]);

/** All index keys of a route. A request that has none of these keys can't match the route. */
export interface IndexKeys {
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
}

/** Combines the keys of alternative matcher sets. Returns `null` if any set has no keys. */
export function keysOfSets(sets: readonly (readonly HttpMatcher[])[]): IndexKeys | null {
  if (sets.length === 0) return null;
  const [first] = sets;
  if (sets.length === 1 && first !== undefined) return keysOfSet(first);
  const hosts: string[] = [];
  const paths: string[] = [];
  for (const set of sets) {
    const keys = keysOfSet(set);
    if (keys === null) return null;
    hosts.push(...keys.hosts);
    paths.push(...keys.paths);
  }
  return { hosts: [...new Set(hosts)], paths: [...new Set(paths)] };
}

/** Returns the index keys of one matcher set. Uses the host matcher if there is one, and otherwise the path matcher. */
function keysOfSet(set: readonly HttpMatcher[]): IndexKeys | null {
  let best: RouteKeys | null = null;
  for (const { keys } of set)
    if (keys != null && (best === null || (best.kind !== 'host' && keys.kind === 'host'))) best = keys;
  if (best === null) return null;
  const keys = best.keys.length === 1 ? best.keys : [...new Set(best.keys)];
  return best.kind === 'host' ? { hosts: keys, paths: none } : { hosts: none, paths: keys };
}

/** Returns the request's host as an index key, in lowercase without port and brackets. */
export function hostKey(host: string): string {
  return bareHostOf(host).toLowerCase();
}

/** Returns the wildcard key that covers a host: `a.example.com` -> `*.example.com`. Returns an empty string if no wildcard can cover it. */
export function wildcardKey(host: string): string {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : `*${host.slice(dot)}`;
}

/** Returns the request path as an index key, lowercase and decoded. Returns `null` if the path has dot segments or repeated slashes. */
export function pathKey({ path }: Exchange): string | null {
  return pathKeyOf(path);
}

/** Converts a decoded path to an index key; see {@link pathKey}. */
export function pathKeyOf(path: string): string | null {
  return path.includes('//') || path.includes('/.') ? null : lowerCase(path);
}
