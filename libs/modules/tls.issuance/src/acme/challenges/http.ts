/** The `http-01` challenge. The configured servers respond to it. If none of them listens on the port, a temporary server responds. */
import { createServer } from 'node:http';
import { httpChallengePath, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Temporary servers that respond with key authorizations, keyed by path and host. */
const listeners = new ChallengeListeners<string>((authorizations) =>
  createServer(({ url, headers }, response) => {
    const authorization = authorizations.get(entryName(hostOf(headers.host), url ?? ''));
    response.writeHead(authorization === undefined ? 404 : 200, { 'content-type': 'text/plain', connection: 'close' });
    response.end(authorization);
  }),
);

/** Returns a solver that makes challenges available to the configured servers. If none listens on the port, starts a temporary server. */
export function httpSolver(board: ChallengeBoard, host: string | null, port: number): Solver {
  return async ({ identifier: { value }, token, keyAuthorization }) => {
    const takeDown = await board.http(value, token, keyAuthorization);
    const name = entryName(value, httpChallengePath + token);
    return listeners.serveWithBoard(takeDown, { host, port, name, entry: keyAuthorization });
  };
}

function entryName(host: string, path: string): string {
  return `${host} ${path}`;
}

/** Returns the host in a Host field, in the format of an ACME identifier. */
function hostOf(field: string | undefined): string {
  const { hostname } = URL.parse(`http://${field ?? ''}`) ?? { hostname: '' };
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
