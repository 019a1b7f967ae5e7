/** Determines the URLs of sites from server addresses, the ports of the HTTP app, and automatic HTTPS. */
import { isList, isObject, own, valueAt, type Json } from './json.ts';

export interface SiteServer {
  readonly key: string;
  readonly listen: readonly string[];
  /** TLS state of the server. `always` = HTTPS is active. `named` = automatic HTTPS becomes active once a route matches a host name. */
  readonly tls: 'always' | 'named' | 'never';
  readonly ports: Ports;
}

interface Ports {
  readonly http: number;
  readonly https: number;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Key of the HTTP server that is created for a new site if there is none. */
const newServerKey = 'main';

export function siteServersOf(document: Json | undefined): SiteServer[] {
  const app = valueAt(document, ['apps', 'http']);
  const ports = portsOf(app);
  const servers = own(app, 'servers');
  if (!isObject(servers)) return [];
  return Object.entries(servers).map(([key, server]) => serverOf(key, server, ports));
}

/**
 * Returns the server for a new site. Prefers an existing server that serves HTTPS on the HTTPS port. If there is none, returns a new
 * server.
 */
export function serverForSite(document: Json | undefined): SiteServer {
  const servers = siteServersOf(document);
  const ports = portsOf(valueAt(document, ['apps', 'http']));
  const on = (port: number) => (server: SiteServer) => addressesOf(server).some((address) => address.port === port);
  const secure = servers.filter(({ tls }) => tls !== 'never');
  return (
    secure.find(on(ports.https)) ??
    secure[0] ??
    servers.find(on(ports.http)) ??
    servers[0] ?? { key: newServerKey, listen: [`:${ports.https}`], tls: 'always', ports }
  );
}

/** Returns the URL of a host on a server. `host` is empty for sites that match all hosts. */
export function siteUrl(server: SiteServer, host: string): string {
  const { ports } = server;
  const isSecure = servesTls(server, host);
  const addresses = addressesOf(server);
  const wanted = isSecure ? ports.https : ports.http;
  const address = addresses.find(({ port }) => port === wanted) ?? addresses[0];
  if (address === undefined) return host === '' ? server.listen.join(', ') : `${host} on ${server.listen.join(', ')}`;
  // Use HTTP on the HTTP port, which never serves TLS.
  const scheme = isSecure && address.port !== ports.http ? 'https' : 'http';
  const port = address.port === (scheme === 'https' ? 443 : 80) ? '' : `:${address.port}`;
  return `${scheme}://${host === '' ? nameOf(address) : host}${port}/`;
}

/** Reports whether a server serves HTTPS once it has a site for a host. `host` is empty for sites that match all hosts. */
export function servesTls({ tls }: SiteServer, host: string): boolean {
  return tls === 'always' || (tls === 'named' && host !== '');
}

function serverOf(key: string, server: Json, ports: Ports): SiteServer {
  const listen = own(server, 'listen');
  const addresses = isList(listen) ? listen.map(String) : [];
  const facts = { key, listen: addresses, tls: 'never' as const, ports };
  const policies = own(server, 'tls_connection_policies');
  const hasPolicies = isList(policies) && policies.length > 0;
  const isDisabled = own(own(server, 'automatic_https'), 'disable') === true;
  const tcp = addressesOf(facts);
  const isOnly = (port: number): boolean => tcp.length > 0 && tcp.every((address) => address.port === port);
  if (isOnly(ports.http) || (isDisabled && !hasPolicies)) return facts;
  const routes = own(server, 'routes');
  const isNamed = hasPolicies || isOnly(ports.https) || (isList(routes) && routes.some(hasHost));
  return { ...facts, tls: isNamed ? 'always' : 'named' };
}

function hasHost(route: Json): boolean {
  const sets = own(route, 'match');
  return isList(sets) && sets.some((set) => own(set, 'host') !== undefined);
}

function portsOf(app: Json | undefined): Ports {
  return { http: Number(own(app, 'http_port') ?? 80), https: Number(own(app, 'https_port') ?? 443) };
}

/** Returns the TCP addresses of a server. For a port range, returns the first port. */
function addressesOf({ listen }: Pick<SiteServer, 'listen'>): Address[] {
  return listen.flatMap((address) => {
    const [, host = '', port = ''] = /^(?:tcp[46]?\/)?(.*):(\d+)(?:-\d+)?$/.exec(address) ?? [];
    return port === '' || address.startsWith('unix') ? [] : [{ host, port: Number(port) }];
  });
}

function nameOf({ host }: Address): string {
  return host === '' || host === '0.0.0.0' || host === '[::]' ? 'localhost' : host;
}
