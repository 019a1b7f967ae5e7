/** What is automatic about HTTPS over all servers of the app: certificates that are wanted, and redirects. */
import { tlsApp, type Context, type JsonObject, type NetworkAddress } from '@sluice/registry';
import type { Server } from '../server/server.ts';
import { isOnPort, type WellKnownPorts } from './decision.ts';
import { Redirects } from './redirects.ts';

/** Name of the server that is made where none is on the HTTP port, as in the reference. */
export const redirectServer = 'remaining_auto_https_redirects';

/** Has certificates obtained for the names of the servers. Called by the app when all are provisioned. */
export async function wantCertificates(servers: Iterable<Server>, context: Context): Promise<void> {
  const tls = await context.appIfRegistered(tlsApp);
  if (tls === null || !context.roles.control) return;
  const all = [...servers].map(({ security }) => security.automatic);
  for (const ignoreLoaded of [false, true]) {
    const names = all.filter((each) => each.ignoreLoaded === ignoreLoaded).flatMap((each) => each.certificates);
    const wanted = { names: [...new Set(names)], ignoreLoaded };
    context.onStart(() => tls.preload(wanted));
    context.onCommit(() => tls.want(ignoreLoaded ? 'http (ignoring loaded)' : 'http', wanted));
  }
}

/** Where requests over HTTP are redirected to; `null` if nothing is redirected. */
export function redirectsOf(servers: Iterable<Server>, ports: WellKnownPorts): Redirects | null {
  const targets = new Map<string, number>();
  let any = false;
  for (const { security, networkAddresses } of servers) {
    if (!security.automatic.redirects) continue;
    const address = networkAddresses.find((each) => !isOnPort(each, ports.http) && each.startPort > 0);
    if (address === undefined) continue;
    any = true;
    for (const host of security.automatic.hosts) if (!targets.has(host)) targets.set(host, address.startPort);
  }
  return any ? new Redirects(targets, ports.https) : null;
}

/** The options of the server that redirects where no other is on the HTTP port of its address; `null` if none is needed. */
export function redirectServerNode(servers: readonly Server[], ports: WellKnownPorts): JsonObject | null {
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
