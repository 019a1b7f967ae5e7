/** Coordinates automatic HTTPS across all servers of the `http` app: certificate requests and redirects. */
import { tlsApp, type WantedCertificates } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import type { JsonObject, NetworkAddress } from '@sluice/base';
import { isOnPort, type AutomaticHttps, type WellKnownPorts } from './decision.ts';
import type { RedirectTable, RedirectTarget } from './redirects.ts';

export interface SecuredServer {
  readonly security: { readonly automatic: AutomaticHttps };
  readonly networkAddresses: readonly NetworkAddress[];
}

/** Name of the server that is created if no server listens on the HTTP port, as in Caddy. */
export const redirectServer = 'remaining_auto_https_redirects';

/** Requests certificates for the host names of a server. Called when the server is provisioned. */
export async function wantCertificates(server: string, names: WantedCertificates, context: Context): Promise<void> {
  if (!context.roles.control || names.names.size === 0) return;
  const tls = await context.appIfRegistered(tlsApp);
  if (tls === null) return;
  const owner = `server ${server}`;
  // Copy the object. Otherwise, when a server is replaced, the old server would release the names that the new server has requested.
  const wanted = { ...names };
  context.onStart(() => tls.preload(owner, wanted));
  context.onTakeOver(() => tls.want(owner, wanted));
  context.onRetire(() => tls.unwant(owner, wanted));
}

/** Builds the table of redirects from HTTP to HTTPS. Returns `null` if there are no redirects. */
export async function redirectTable(
  servers: Iterable<SecuredServer>,
  ports: WellKnownPorts,
  context: Context,
): Promise<RedirectTable | null> {
  const tls = await context.appIfRegistered(tlsApp);
  const targets: RedirectTarget[] = [];
  for (const { security, networkAddresses } of servers) {
    const { redirects, hosts, certificates } = security.automatic;
    if (!redirects) continue;
    const secured = networkAddresses.filter((each) => !isOnPort(each, ports.http) && each.startPort > 0);
    const address = secured.find((each) => isOnPort(each, ports.https)) ?? secured[0];
    if (address !== undefined) targets.push({ hosts, certificates, port: address.startPort });
  }
  // If the same host name occurs in the routes of several servers, prefer the server on the HTTPS port.
  targets.sort((a, b) => Number(b.port === ports.https) - Number(a.port === ports.https));
  if (tls === null || targets.length === 0) return null;
  return {
    targets,
    defaultPort: ports.https,
    isLoaded: (name) => tls.isLoaded(name),
    willBeLoaded: (name) => tls.willBeLoaded(name),
  };
}

/**
 * Returns the options of a server that only sends redirects. It listens on the HTTP port at the addresses where no other server uses that
 * port. Returns `null` if no such server is needed.
 */
export function redirectServerNode(servers: readonly SecuredServer[], ports: WellKnownPorts): JsonObject | null {
  const onHttp = servers.flatMap(({ networkAddresses }) =>
    networkAddresses.filter((each) => isOnPort(each, ports.http)).map(({ host }) => host),
  );
  const listen = new Set<string>();
  for (const { security, networkAddresses } of servers) {
    if (!security.automatic.redirects) continue;
    for (const address of networkAddresses) {
      if (isOnPort(address, ports.http) || address.startPort === 0 || covers(onHttp, address)) continue;
      listen.add(address.host.includes(':') ? `[${address.host}]:${ports.http}` : `${address.host}:${ports.http}`);
    }
  }
  return listen.size === 0 ? null : { listen: [...listen].sort(), automatic_https: { disable: true } };
}

function covers(hosts: readonly string[], { host }: NetworkAddress): boolean {
  return hosts.some((each) => each === host || each === '' || each === '::' || each === '0.0.0.0');
}
