/** Builds the routes of a site. A route that matches the site's hosts and paths encloses the routes of its directives. */
import type { Json } from '@sluice/base';
import { asJson } from '../json.ts';
import type { MatcherSetConfig, RouteConfig } from './config-value.ts';
import type { Assembly } from './directive-reader.ts';
import { buildRoutes } from './route-list.ts';
import { subrouteHandler } from './subroute.ts';
import { noteOrigin } from '../sources/origins.ts';
import type { Site } from './site.ts';

export interface SiteRoutes {
  readonly routes: readonly RouteConfig[];
  /** Error routes. `null` if there are none. */
  readonly errorRoutes: readonly RouteConfig[] | null;
  readonly named: Readonly<Record<string, Json>>;
}

/** Builds the routes of a site. `alone` is true if the server has no other sites. */
export function siteRoutes(site: Site, alone: boolean, assembly: Assembly): SiteRoutes {
  const match = hostMatchers(site);
  const values = site.values('route');
  assembly.trace.site({ block: site.block, values, sorted: true, errors: site.values('error_route') });
  const inner = buildRoutes(values, assembly.groups, assembly.order());
  const errors = site.pile<readonly RouteConfig[]>('error_route');
  return {
    routes: wrap(inner, match, site, alone),
    errorRoutes: errors.length === 0 ? null : wrap(sortErrors(errors), match, site, alone),
    named: Object.fromEntries(
      site
        .pile<ReadonlyMap<string, RouteConfig>>('named_route')
        .flatMap((routes) => [...routes].map(([name, route]) => [name, asJson(route)])),
    ),
  };
}

/**
 * Returns matcher sets for the hosts and paths of a site's addresses, with one set for each path. An address without a host matches all
 * hosts.
 */
function hostMatchers(site: Site): MatcherSetConfig[] {
  const byPath = new Map<string, Set<string> | null>();
  let catchAll = false;
  for (const { host, path } of site.addresses) {
    const hosts = byPath.get(path) ?? (byPath.has(path) ? null : new Set<string>());
    byPath.set(path, hosts);
    if (host === '' && !catchAll) {
      byPath.set(path, new Set());
      catchAll = true;
    }
    if (!catchAll && host !== '') hosts?.add(host);
  }
  const sets: MatcherSetConfig[] = [];
  for (const [path, hosts] of byPath) {
    const set: MatcherSetConfig = {};
    if (hosts !== null && hosts.size > 0) set['host'] = [...hosts];
    if (path !== '') set['path'] = [path];
    if (Object.keys(set).length > 0) sets.push(set);
  }
  return sets;
}

/**
 * Wraps routes so that only the first matching site handles a request. The only site of a server needs no wrapper if it covers all hosts
 * and its routes don't match hosts. If its routes match hosts and there is no wrapper, automatic HTTPS would manage certificates for these
 * hosts.
 */
function wrap(
  inner: readonly RouteConfig[],
  match: readonly MatcherSetConfig[],
  { block }: Site,
  alone: boolean,
): readonly RouteConfig[] {
  if (match.length === 0 && inner.length === 0) return [];
  if (match.length === 0 && alone && !inner.some(matchesHost)) return inner;
  const route: RouteConfig = {};
  if (match.length > 0) route.match = match;
  if (inner.length > 0) route.handle = [subrouteHandler(inner)];
  route.terminal = true;
  return [noteOrigin(route, block.keys)];
}

function matchesHost({ match }: RouteConfig): boolean {
  return (match ?? []).some((set) => 'host' in set);
}

/** Sorts error routes. Routes for specific status codes precede routes for all status codes. */
function sortErrors(errors: readonly (readonly RouteConfig[])[]): RouteConfig[] {
  const certain = errors.filter((routes) => routes[0]?.match !== undefined);
  const all = errors.filter((routes) => routes[0]?.match === undefined);
  return [...certain, ...all].flat();
}
