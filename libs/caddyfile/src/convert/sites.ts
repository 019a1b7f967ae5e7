/** Servers as sites: which routes of a document belong to which addresses. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, objectAt, valueAt } from './trial.ts';

/** A site of the file that is made. */
export interface SiteDraft {
  readonly addresses: readonly string[];
  /** Hosts of listeners, for `bind`. */
  readonly bind: readonly string[];
  readonly hosts: readonly string[];
  readonly routes: readonly Json[];
  readonly errorRoutes: readonly Json[];
  readonly server: JsonObject;
}

/** What the ports of addresses are seen against. */
export interface UsualPorts {
  readonly http: string;
  readonly https: string;
}

/** The sites of a server. */
export function sitesOf(server: JsonObject, ports: UsualPorts): SiteDraft[] {
  const { listeners, bind } = listenersOf(server);
  const routes = listAt(server, ['routes']);
  const errors = listAt(server, ['errors', 'routes']);
  const wrapped = routes.length > 0 && routes.every(isWrapper);
  if (!wrapped) {
    const addresses = addressesOf(undefined, listeners, server, ports);
    return [{ addresses, bind, hosts: [], routes, errorRoutes: errors.flatMap(unwrapped), server }];
  }
  return routes.map((route) => {
    const match = (route as JsonObject)['match'];
    const own = errors.filter((each) => sameMatch(each, match));
    return {
      addresses: addressesOf(match, listeners, server, ports),
      bind,
      hosts: hostsOf(match),
      routes: unwrapped(route),
      errorRoutes: own.flatMap(unwrapped),
      server,
    };
  });
}

/** Whether a route is one that sites make: for hosts or paths, with the routes of the site, and the last that runs. */
function isWrapper(route: Json): boolean {
  if (!isObject(route) || route['terminal'] !== true || route['group'] !== undefined) return false;
  const handle = route['handle'];
  const plain = handle === undefined || (isArray(handle) && handle.length === 1 && isSubroute(handle[0]));
  return plain && listAt(route, ['match']).every(isAddressMatch);
}

function isSubroute(handler: Json | undefined): boolean {
  return isObject(handler) && handler['handler'] === 'subroute' && handler['errors'] === undefined;
}

function isAddressMatch(set: Json): boolean {
  if (!isObject(set)) return false;
  return Object.keys(set).every((key) => key === 'host' || key === 'path');
}

function unwrapped(route: Json): readonly Json[] {
  if (!isWrapper(route)) return [route];
  return listAt(listAt(route, ['handle'])[0], ['routes']);
}

function sameMatch(route: Json, match: Json | undefined): boolean {
  return JSON.stringify(valueAt(route, ['match']) ?? null) === JSON.stringify(match ?? null);
}

function hostsOf(match: Json | undefined): string[] {
  return (isArray(match) ? match : []).flatMap((set) =>
    listAt(set, ['host']).filter((host) => typeof host === 'string'),
  );
}

/** Ports of a server's listeners, and their hosts where they have any. */
function listenersOf(server: JsonObject): { listeners: readonly string[]; bind: readonly string[] } {
  const listen = listAt(server, ['listen']).filter((each) => typeof each === 'string');
  const split = listen.map((address) => {
    const colon = address.lastIndexOf(':');
    const special = /^(?:unix|fd)/.test(address);
    return special ? { host: address, port: '' } : { host: address.slice(0, colon), port: address.slice(colon + 1) };
  });
  const bind = [...new Set(split.map(({ host }) => host))];
  return {
    listeners: [...new Set(split.map(({ port }) => port))],
    bind: bind.every((host) => host === '') ? [] : bind.map((host) => host.replace(/^\[(.*)\]$/, '$1')),
  };
}

function addressesOf(
  match: Json | undefined,
  listeners: readonly string[],
  server: JsonObject,
  ports: UsualPorts,
): string[] {
  const sets = isArray(match) && match.length > 0 ? match : [{}];
  const addresses = sets.flatMap((set) => {
    const hosts = listAt(set, ['host']).map(String);
    const [path = ''] = listAt(set, ['path']).map(String);
    return (hosts.length === 0 ? [''] : hosts).flatMap((host) =>
      listeners.map((port) => addressOf(host, port, server, ports) + path),
    );
  });
  return addresses;
}

function addressOf(host: string, port: string, server: JsonObject, ports: UsualPorts): string {
  const secure = listAt(server, ['tls_connection_policies']).length > 0;
  const skipped = listAt(server, ['automatic_https', 'skip']).includes(host);
  const shown = host.includes(':') ? `[${host}]` : host;
  if (port === ports.http || port === '80')
    return host === '' ? `:${port}` : withPort(`http://${shown}`, port, ports.http);
  if (port === ports.https || port === '') return host === '' ? `:${ports.https}` : shown;
  if (host === '') return secure ? `https://:${port}` : `:${port}`;
  return skipped ? `http://${shown}:${port}` : `${shown}:${port}`;
}

function withPort(address: string, port: string, usual: string): string {
  return port === usual ? address : `${address}:${port}`;
}

/** The servers of a document, by name. */
export function serversOf(document: Json): [string, JsonObject][] {
  return Object.entries(objectAt(document, ['apps', 'http', 'servers'])).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
}
