/** Addresses of sites. */
import type { Json, JsonObject } from '@sluice/base';
import { listAt, serversOf } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';

/** What the ports of addresses are seen against. */
export interface UsualPorts {
  readonly http: string;
  readonly https: string;
  /**
   * What stands before other ports of sites without a host, which are not served over TLS: without a scheme such a site would
   * be one for all names, beside which policies that say nothing are not needed.
   */
  readonly plain: '' | 'http://';
}

/** The ports of a server's listeners. Those without one are served where their sites say. */
export function portsOf(server: JsonObject, usual: UsualPorts): readonly string[] {
  const ports = words(listAt(server, ['listen'])).map((address) => {
    if (!/^(?:unix|fd)/.test(address)) return address.slice(address.lastIndexOf(':') + 1);
    return speaksTls(server) || hasHosts(server) ? usual.https : usual.http;
  });
  return [...new Set(ports.length === 0 ? [usual.https] : ports)];
}

function speaksTls(server: JsonObject): boolean {
  return listAt(server, ['tls_connection_policies']).length > 0;
}

function hasHosts(server: JsonObject): boolean {
  return listAt(server, ['routes']).some((route) => listAt(listAt(route, ['match'])[0], ['host']).length > 0);
}

/** The address of a host, empty for all, on a port. */
export function addressOf(host: string, port: string, server: JsonObject, usual: UsualPorts): string {
  const skipped = listAt(server, ['automatic_https', 'skip']).includes(host);
  const shown = host.includes(':') ? `[${host}]` : host;
  if (port === usual.https && host === '') return speaksTls(server) ? 'https://' : `:${port}`;
  if (port === usual.https) return skipped ? `http://${shown}` : shown;
  if (port === usual.http) return host === '' ? `:${port}` : `http://${shown}`;
  if (host === '') return speaksTls(server) ? `https://:${port}` : `${usual.plain}:${port}`;
  return skipped ? `http://${shown}:${port}` : `${shown}:${port}`;
}

/** Names that are managed and that no route is for: they stood beside an address for all hosts. */
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
