/** Site addresses. */
import type { Json, JsonObject } from '@sluice/base';
import { listAt, serversOf } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';

/** Default ports. Site addresses omit these ports. */
export interface DefaultPorts {
  readonly http: string;
  readonly https: string;
  /**
   * Scheme prefix for sites that have no host, don't use TLS, and listen on non-default ports. Without the scheme, such a site would match
   * all host names, and the adapter would omit policies that have no settings.
   */
  readonly plain: '' | 'http://';
}

/** Returns the ports on which a server listens. For a socket without a port, uses the server's default port. */
export function portsOf(server: JsonObject, defaults: DefaultPorts): readonly string[] {
  const ports = words(listAt(server, ['listen'])).map((address) => {
    if (!/^(?:unix|fd)/.test(address)) return address.slice(address.lastIndexOf(':') + 1);
    return speaksTls(server) || hasHosts(server) ? defaults.https : defaults.http;
  });
  return [...new Set(ports.length === 0 ? [defaults.https] : ports)];
}

function speaksTls(server: JsonObject): boolean {
  return listAt(server, ['tls_connection_policies']).length > 0;
}

function hasHosts(server: JsonObject): boolean {
  return listAt(server, ['routes']).some((route) => listAt(listAt(route, ['match'])[0], ['host']).length > 0);
}

/** Returns the site address for a host and port. An empty host means all hosts. */
export function addressOf(host: string, port: string, server: JsonObject, defaults: DefaultPorts): string {
  const skipped = listAt(server, ['automatic_https', 'skip']).includes(host);
  const shown = host.includes(':') ? `[${host}]` : host;
  if (port === defaults.https && host === '') return speaksTls(server) ? 'https://' : `:${port}`;
  if (port === defaults.https) return skipped ? `http://${shown}` : shown;
  if (port === defaults.http) return host === '' ? `:${port}` : `http://${shown}`;
  if (host === '') return speaksTls(server) ? `https://:${port}` : `${defaults.plain}:${port}`;
  return skipped ? `http://${shown}:${port}` : `${shown}:${port}`;
}

/**
 * Returns managed certificate names that no route matches. In the Caddyfile, these names were in the same address list as a catch-all
 * address.
 */
export function hostsBeside(document: Json): readonly string[] {
  const automated = words(listAt(document, ['apps', 'tls', 'certificates', 'automate']));
  if (automated.length === 0) return [];
  const matched = new Set(
    serversOf(document).flatMap(([, server]) =>
      listAt(server, ['routes']).flatMap((route) =>
        listAt(route, ['match']).flatMap((set) => words(listAt(set, ['host']))),
      ),
    ),
  );
  return automated.filter((name) => !matched.has(name));
}
