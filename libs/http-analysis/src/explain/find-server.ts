/** Finds the server that would receive a request. */
import { SluiceError, type NetworkAddress } from '@sluice/base';
import type { HttpApp, Server } from '@sluice/http-app';
import { requestError } from './request-error.ts';
import type { Known } from './types.ts';

export interface FoundServer {
  readonly server: Server;
  readonly known: Known;
  /** Server addresses with the request's port. Empty if there are none. */
  readonly addresses: readonly NetworkAddress[];
}

/** Finds a server by name, or otherwise by port. If no server listens on the port and there is only one server, returns that server. */
export function findServer({ servers }: HttpApp, name: string | undefined, port: number): FoundServer {
  if (name !== undefined) {
    const server = servers.get(name);
    if (server === undefined) throw noServer(`server ${JSON.stringify(name)} does not exist`, servers);
    return { server, known: 'given', addresses: addressesOn(server, port) };
  }
  const listening = [...servers.values()].filter((server) => addressesOn(server, port).length > 0);
  const [first] = listening;
  if (first !== undefined)
    return {
      server: first,
      known: listening.length === 1 ? 'evaluated' : 'assumed',
      addresses: listening.flatMap((server) => addressesOn(server, port)),
    };
  const [only] = servers.values();
  if (only === undefined || servers.size > 1) throw noServer(`no server listens on port ${port}`, servers);
  return { server: only, known: 'assumed', addresses: [] };
}

function addressesOn({ networkAddresses }: Server, port: number): readonly NetworkAddress[] {
  return networkAddresses.filter((each) => hasPort(each, port));
}

/**
 * Finds the server that would receive a request under another configuration. Compares listener addresses. Returns `null` if there is no
 * such server, and `unknown` if the result depends on the destination address.
 */
export function serverInstead(
  before: FoundServer,
  isTls: boolean,
  { servers }: HttpApp,
): Pick<FoundServer, 'server' | 'addresses'> | null | 'unknown' {
  const { server: now, addresses } = before;
  const own = addresses.length > 0 ? addresses : now.networkAddresses;
  // A request can only be processed if client and server agree on whether to use TLS.
  const agreed = own.filter((each) => now.speaksTls(each) !== !isTls);
  const possible = agreed.length > 0 ? agreed : own;
  const named = servers.get(now.name);
  // A server without addresses is reachable only from within the process.
  if (possible.length === 0) return named === undefined ? null : { server: named, addresses: [] };
  const found = possible.map((address) => listeningOn(address, servers));
  const known = found.filter((each) => each !== 'unknown');
  const [first = null] = known;
  if (known.length < found.length || known.some((each) => each?.server !== first?.server)) return 'unknown';
  if (first === null) return null;
  const reached = known.flatMap((each) => each?.addresses ?? []);
  const isSame = new Set(reached.map((each) => first.server.speaksTls(each))).size < 2;
  return isSame ? { ...first, addresses: reached } : 'unknown';
}

function listeningOn(
  address: NetworkAddress,
  servers: HttpApp['servers'],
): Pick<FoundServer, 'server' | 'addresses'> | null | 'unknown' {
  let isPartly = false;
  for (const server of servers.values())
    for (const each of server.networkAddresses) {
      if (each.startPort !== address.startPort || familyOf(each) !== familyOf(address)) continue;
      if (each.host === address.host || isAny(each.host)) return { server, addresses: [each] };
      isPartly ||= isAny(address.host);
    }
  return isPartly ? 'unknown' : null;
}

/** Returns the network family. `tcp` includes `tcp4` and `tcp6`. */
function familyOf({ network }: NetworkAddress): string {
  return network.replace(/[46]$/, '');
}

function isAny(host: string): boolean {
  return host === '' || host === '::' || host === '0.0.0.0';
}

function hasPort({ network, startPort, endPort }: NetworkAddress, port: number): boolean {
  return network.startsWith('tcp') && port >= startPort && port <= endPort && startPort > 0;
}

function noServer(problem: string, servers: HttpApp['servers']): SluiceError {
  const names = [...servers.keys()].map((name) => JSON.stringify(name)).join(', ') || 'none';
  const { message } = requestError('server', `${problem}; specify one of: ${names}`);
  return new SluiceError('ERR_EXPLAIN_REQUEST', message, { status: 404 });
}
