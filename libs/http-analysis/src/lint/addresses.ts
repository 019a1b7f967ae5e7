/** Properties derived from the addresses of a server: ports, TLS, and restriction to local clients. */
import { expandPorts, isArray, isObject, own, parseNetworkAddress, type Json, type NetworkAddress } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { everyRoute } from './every-route.ts';
import type { ServerModel } from './model.ts';
import { hostsOf } from './wildcard-hosts.ts';

export function listenOf({ node }: ServerModel): readonly string[] {
  const listen = own(node, 'listen');
  return isArray(listen) ? listen.filter((each) => typeof each === 'string') : [];
}

/** Returns the server's addresses, each with a single port. Returns `null` if an address is invalid or contains a placeholder. */
export function addressesOf(server: ServerModel): readonly NetworkAddress[] | null {
  try {
    return listenOf(server).flatMap((each) => expandPorts(parseNetworkAddress(each)));
  } catch {
    return null;
  }
}

/** Returns the ports of the server's TCP addresses. Returns `null` if a port is unknown. */
export function portsOf(server: ServerModel): readonly number[] | null {
  return (
    addressesOf(server)?.flatMap(({ network, startPort }) => (network.startsWith('tcp') ? [startPort] : [])) ?? null
  );
}

/** Returns the port for plain HTTP, which is 80 unless configured otherwise. */
export function httpPortOf(document: Json): number {
  const port = getAt(document, ['apps', 'http', 'http_port']);
  return typeof port === 'number' ? port : 80;
}

/** Reports whether a server never uses TLS, neither through connection policies nor through automatic HTTPS. */
export function isPlain(server: ServerModel, document: Json): boolean {
  const policies = own(server.node, 'tls_connection_policies');
  if (isArray(policies) && policies.length > 0) return false;
  const automatic = own(server.node, 'automatic_https');
  if (isObject(automatic) && own(automatic, 'disable') === true) return true;
  const port = httpPortOf(document);
  const listen = listenOf(server);
  if (listen.length > 0 && listen.every((address) => address.endsWith(`:${port}`))) return true;
  const skipped = isObject(automatic) ? own(automatic, 'skip') : undefined;
  const isSkipped = (host: string): boolean => isArray(skipped) && skipped.includes(host);
  for (const route of everyRoute(server)) if (!hostsOf(route).every(isSkipped)) return false;
  return !listen.some((address) => address.endsWith(':443'));
}

/** Reports whether only clients on this machine can connect to the server. */
export function isLocal(server: ServerModel): boolean {
  const listen = listenOf(server);
  return listen.length > 0 && listen.every((each) => /^(?:unix|fd)|(?:^|\/)(?:127\.|localhost|\[::1\])/.test(each));
}
