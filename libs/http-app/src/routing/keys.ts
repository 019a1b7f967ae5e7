/** Keys under which routes are indexed, and those under which a request looks. */
import { lowerCase } from '@sluice/base';
import { bareHostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpMatcher, RouteKeys } from '../handler.ts';

const none: readonly string[] = Object.freeze([]);

/** All keys of a route: if none of them is among a request's, the route cannot match. */
export interface IndexKeys {
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
}

/** Unites the keys of alternatives; `null` as soon as one of them has none. */
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

/** The keys of one conjunction: those of its host matcher rather than those of its path matcher. */
function keysOfSet(set: readonly HttpMatcher[]): IndexKeys | null {
  let best: RouteKeys | null = null;
  for (const { keys } of set)
    if (keys != null && (best === null || (best.kind !== 'host' && keys.kind === 'host'))) best = keys;
  if (best === null) return null;
  const keys = best.keys.length === 1 ? best.keys : [...new Set(best.keys)];
  return best.kind === 'host' ? { hosts: keys, paths: none } : { hosts: none, paths: keys };
}

/** The host of a request as index keys have it: lower case, without port and brackets. */
export function hostKey(host: string): string {
  return bareHostOf(host).toLowerCase();
}

/** The wildcard key that covers a host: `a.example.com` -> `*.example.com`; empty where there is none. */
export function wildcardKey(host: string): string {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : `*${host.slice(dot)}`;
}

/** The path of a request as index keys have it: lower case, decoded; `null` if it needs cleaning, which keys do not know. */
export function pathKey(exchange: Exchange): string | null {
  const path = exchange.path;
  if (path.includes('//') || path.includes('/.')) return null;
  return lowerCase(path);
}
