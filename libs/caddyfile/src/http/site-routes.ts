/** The routes of a site: those of its directives, below a route for its hosts and paths. */
import type { Json } from '@sluice/base';
import { asJson } from '../json.ts';
import type { MatcherSetConfig, RouteConfig } from './config-value.ts';
import type { Assembly } from './directive-reader.ts';
import { buildRoutes } from './route-list.ts';
import { subrouteHandler } from './subroute.ts';
import { noteOrigin } from '../sources/origins.ts';
import type { Site } from './site.ts';

/** What a site adds to its server. */
export interface SiteRoutes {
  readonly routes: readonly RouteConfig[];
  /** `null` where it has no error routes. */
  readonly errorRoutes: readonly RouteConfig[] | null;
  readonly named: Readonly<Record<string, Json>>;
}

/** Makes the routes of a site. `alone` tells whether it is the only one of its server. */
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

/** The hosts and paths of a site's addresses: one set for each path. An address without host stands for all. */
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
 * Only the first site that matches is used. A site that is alone and for all hosts needs no route around its own, unless
 * these match hosts, which would be managed automatically if they stood at the top.
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

/** Error routes for certain statuses come before those for all. */
function sortErrors(errors: readonly (readonly RouteConfig[])[]): RouteConfig[] {
  const certain = errors.filter((routes) => routes[0]?.match !== undefined);
  const all = errors.filter((routes) => routes[0]?.match === undefined);
  return [...certain, ...all].flat();
}
