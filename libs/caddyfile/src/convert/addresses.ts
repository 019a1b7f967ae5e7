/** Site addresses. */
import type { Json, JsonObject } from '@sluice/base';
import { listAt, serversOf } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';

/** Default ports, which site addresses omit. */
export interface DefaultPorts {
  readonly http: string;
  readonly https: string;
  /**
   * Scheme prefix for sites without a host or TLS on other ports. Without a scheme, such a site would cover all names,
   * and policies without settings would be omitted.
   */
  readonly plain: '' | 'http://';
}

/** Returns the listener ports of a server. Sockets without a port get the default site port of the server. */
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

/** Returns the site address of a host and port. An empty host means all hosts. */
export function addressOf(host: string, port: string, server: JsonObject, defaults: DefaultPorts): string {
  const skipped = listAt(server, ['automatic_https', 'skip']).includes(host);
  const shown = host.includes(':') ? `[${host}]` : host;
  if (port === defaults.https && host === '') return speaksTls(server) ? 'https://' : `:${port}`;
  if (port === defaults.https) return skipped ? `http://${shown}` : shown;
  if (port === defaults.http) return host === '' ? `:${port}` : `http://${shown}`;
  if (host === '') return speaksTls(server) ? `https://:${port}` : `${defaults.plain}:${port}`;
  return skipped ? `http://${shown}:${port}` : `${shown}:${port}`;
}

/** Returns managed names that no route matches. In the Caddyfile, these names were listed next to an address for all hosts. */
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
