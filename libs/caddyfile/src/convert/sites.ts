/** Converts servers to Caddyfile sites. Maps the routes of a document to site addresses. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, serversOf, valueAt } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';
import type { WrittenSite } from '../inverse/written.ts';
import { addressOf, hostsBeside, portsOf, type DefaultPorts } from './addresses.ts';

/** A site of the generated Caddyfile. */
export interface SiteDraft extends WrittenSite {
  readonly addresses: readonly string[];
  readonly routes: readonly Json[];
}

/** Returns the sites of a document, in the order of its servers. */
export function sitesOf(document: Json): SiteDraft[] {
  const ports: DefaultPorts = {
    http: String(valueAt(document, ['apps', 'http', 'http_port']) ?? 80),
    https: String(valueAt(document, ['apps', 'http', 'https_port']) ?? 443),
    plain: listAt(document, ['apps', 'tls', 'automation', 'policies']).some(saysNothing) ? 'http://' : '',
  };
  const beside = hostsBeside(document);
  const served = serversOf(document).filter(([, server]) => listAt(server, ['listen']).length > 0);
  const drafts = served.flatMap(([, server]) =>
    sitesOfServer(server).map((site) => {
      const sets = isArray(site.match) && site.match.length > 0 ? site.match : [{}];
      const hosts = site.match === undefined ? beside : [];
      const hasCatchAll = sets.some((set) => listAt(set, ['host']).length === 0);
      const addresses = portsOf(server, ports).flatMap((port) => [
        ...sets.flatMap((set) =>
          addressesOfSet(set).map(([host, path]) => addressOf(host, port, server, ports) + path),
        ),
        ...hosts.map((host) => addressOf(host, port, server, ports)),
      ]);
      return {
        ...site,
        addresses,
        hosts: [...hostsOf(site.match), ...hosts],
        served: [...hostsOf(site.match), ...hosts],
        hasCatchAll,
        server,
        isFirst: false,
        isFirstSecure: false,
      };
    }),
  );
  const isPlain = (address: string): boolean => address.startsWith('http://') || address.startsWith(`:${ports.http}`);
  const secure = drafts.findIndex(({ addresses }) => !addresses.every(isPlain));
  return drafts.map((draft, at) => ({ ...draft, isFirst: at === 0, isFirstSecure: at === secure }));
}

/** Reports whether a TLS automation policy only lists subjects and has no settings. */
function saysNothing(policy: Json): boolean {
  return isObject(policy) && Object.keys(policy).join() === 'subjects';
}

/** Returns all combinations of a host and a path in a matcher set. */
function addressesOfSet(set: Json): [string, string][] {
  const hosts = words(listAt(set, ['host']));
  const [path = ''] = words(listAt(set, ['path']));
  return (hosts.length === 0 ? [''] : hosts).map((host) => [host, path]);
}

interface SiteRoutes {
  readonly match: Json | undefined;
  readonly routes: readonly Json[];
  readonly errorRoutes: readonly Json[];
}

function sitesOfServer(server: JsonObject): SiteRoutes[] {
  const routes = listAt(server, ['routes']);
  const errors = listAt(server, ['errors', 'routes']);
  if (routes.length === 0 || !routes.every(isWrapper)) {
    return [{ match: undefined, routes, errorRoutes: errors.flatMap(unwrapped) }];
  }
  return routes.map((route) => {
    const match = valueAt(route, ['match']);
    const own = errors.filter((each) => sameMatch(each, match));
    return { match, routes: unwrapped(route), errorRoutes: own.flatMap(unwrapped) };
  });
}

/**
 * Reports whether the route was created by a Caddyfile site. Such a route is terminal, has only host or path matchers, and contains the
 * routes of the site.
 */
function isWrapper(route: Json): boolean {
  if (!isObject(route) || route['terminal'] !== true || route['group'] !== undefined) return false;
  const { handle } = route;
  const plain = handle === undefined || (isArray(handle) && handle.length === 1 && isSubroute(handle[0]));
  return plain && listAt(route, ['match']).every(isAddressMatch);
}

function isSubroute(handler: Json | undefined): boolean {
  return isObject(handler) && handler['handler'] === 'subroute' && handler['errors'] === undefined;
}

function isAddressMatch(set: Json): boolean {
  return isObject(set) && Object.keys(set).every((key) => key === 'host' || key === 'path');
}

function unwrapped(route: Json): readonly Json[] {
  return isWrapper(route) ? listAt(listAt(route, ['handle'])[0], ['routes']) : [route];
}

function sameMatch(route: Json, match: Json | undefined): boolean {
  return JSON.stringify(valueAt(route, ['match']) ?? null) === JSON.stringify(match ?? null);
}

function hostsOf(match: Json | undefined): string[] {
  return (isArray(match) ? match : []).flatMap((set) => words(listAt(set, ['host'])));
}
