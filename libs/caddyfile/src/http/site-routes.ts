/** Routes of a site: the routes of its directives, wrapped in a route for its hosts and paths. */
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
  /** `null` if there are no error routes. */
  readonly errorRoutes: readonly RouteConfig[] | null;
  readonly named: Readonly<Record<string, Json>>;
}

/** Builds the routes of a site. `alone` is true if the server has no other site. */
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

/** Returns matchers for the hosts and paths of a site's addresses, one set per path. An address without a host matches all hosts. */
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
 * Wraps routes so that only the first matching site is used. A single site for all hosts needs no wrapper, unless its routes match hosts.
 * At the top level, automatic HTTPS would manage the matched hosts.
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

/** Sorts error routes: routes for specific statuses precede routes for all statuses. */
function sortErrors(errors: readonly (readonly RouteConfig[])[]): RouteConfig[] {
  const certain = errors.filter((routes) => routes[0]?.match !== undefined);
  const all = errors.filter((routes) => routes[0]?.match === undefined);
  return [...certain, ...all].flat();
}
