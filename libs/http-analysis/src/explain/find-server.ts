/** The server that a request would come to. */
import { SluiceError, type NetworkAddress } from '@sluice/base';
import type { HttpApp, Server } from '@sluice/http-app';
import { requestError } from './request-error.ts';
import type { Known } from './types.ts';

/** A server, and how it was found. */
export interface FoundServer {
  readonly server: Server;
  readonly known: Known;
}

/** The server of a name, or the one that listens on a port; the only one if none does. */
export function findServer({ servers }: HttpApp, name: string | undefined, port: number): FoundServer {
  if (name !== undefined) {
    const server = servers.get(name);
    if (server === undefined) throw noServer(`there is no server ${JSON.stringify(name)}`, servers);
    return { server, known: 'given' };
  }
  const listening = [...servers.values()].filter((server) =>
    server.networkAddresses.some((each) => hasPort(each, port)),
  );
  const [first] = listening;
  if (first !== undefined) return { server: first, known: listening.length === 1 ? 'evaluated' : 'assumed' };
  const [only] = servers.values();
  if (only === undefined || servers.size > 1) throw noServer(`no server listens on port ${port}`, servers);
  return { server: only, known: 'assumed' };
}

function hasPort({ network, startPort, endPort }: NetworkAddress, port: number): boolean {
  return network.startsWith('tcp') && port >= startPort && port <= endPort && startPort > 0;
}

function noServer(problem: string, servers: HttpApp['servers']): SluiceError {
  const names = [...servers.keys()].map((name) => JSON.stringify(name)).join(', ') || 'none';
  const { message } = requestError('server', `${problem}; name one of: ${names}`);
  return new SluiceError('ERR_EXPLAIN_REQUEST', message, { status: 404 });
}
