/** `http-01` challenge: served by the configured servers, or by a temporary one. */
import { createServer } from 'node:http';
import { httpChallengePath, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Key authorizations by path and host. */
const listeners = new ChallengeListeners<string>((authorizations) =>
  createServer(({ url, headers }, response) => {
    const authorization = authorizations.get(entryName(hostOf(headers.host), url ?? ''));
    response.writeHead(authorization === undefined ? 404 : 200, { 'content-type': 'text/plain', connection: 'close' });
    response.end(authorization);
  }),
);

/** Makes challenges available to the servers, and listens on the port if nothing else does. */
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

/** Returns the name in a Host field in the form of an ACME identifier. */
function hostOf(field: string | undefined): string {
  const { hostname } = URL.parse(`http://${field ?? ''}`) ?? { hostname: '' };
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
