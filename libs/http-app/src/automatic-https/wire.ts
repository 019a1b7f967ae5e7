/** What is automatic about HTTPS over all servers of the app: certificates that are wanted, and redirects. */
import { tlsApp, type WantedCertificates } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import type { JsonObject, NetworkAddress } from '@sluice/base';
import { isOnPort, type AutomaticHttps, type WellKnownPorts } from './decision.ts';
import type { RedirectTable, RedirectTarget } from './redirects.ts';

/** What is asked of a server about HTTPS. */
export interface SecuredServer {
  readonly security: { readonly automatic: AutomaticHttps };
  readonly networkAddresses: readonly NetworkAddress[];
}

/** Name of the server that is made where none is on the HTTP port, as in the reference. */
export const redirectServer = 'remaining_auto_https_redirects';

/** Has certificates obtained for the names of a server. Called when it is provisioned. */
export async function wantCertificates(server: string, names: WantedCertificates, context: Context): Promise<void> {
  if (!context.roles.control || names.names.size === 0) return;
  const tls = await context.appIfRegistered(tlsApp);
  if (tls === null) return;
  const owner = `server ${server}`;
  // An object of its own, so that a server that is replaced does not give up what the next one wants.
  const wanted = { ...names };
  context.onStart(() => tls.preload(owner, wanted));
  context.onCommit(() => tls.want(owner, wanted));
  context.onRetire(() => tls.unwant(owner, wanted));
}

/** Where requests over HTTP are redirected to; `null` if nothing is redirected. */
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
  // Where several servers have a name, that on the HTTPS port is the one that people mean.
  targets.sort((a, b) => Number(b.port === ports.https) - Number(a.port === ports.https));
  if (tls === null || targets.length === 0) return null;
  return {
    targets,
    usualPort: ports.https,
    isLoaded: (name) => tls.isLoaded(name),
    willBeLoaded: (name) => tls.willBeLoaded(name),
  };
}

/** The options of the server that redirects where no other is on the HTTP port of its address; `null` if none is needed. */
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
