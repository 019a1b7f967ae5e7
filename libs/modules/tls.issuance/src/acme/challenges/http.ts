/** `http-01`: served by the servers of the configuration, or by one for the time of the challenge. */
import { createServer } from 'node:http';
import { httpChallengePath, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Key authorizations by the path and the name that they are asked for at. */
const listeners = new ChallengeListeners<string>((authorizations) =>
  createServer(({ url, headers }, response) => {
    const authorization = authorizations.get(entryName(hostOf(headers.host), url ?? ''));
    response.writeHead(authorization === undefined ? 404 : 200, { 'content-type': 'text/plain', connection: 'close' });
    response.end(authorization);
  }),
);

/** Puts challenges up at the board, and listens at the port if no one does. */
export function httpSolver(board: ChallengeBoard, host: string | null, port: number): Solver {
  return async ({ identifier: { value }, token, keyAuthorization }) => {
    const takeDown = await board.http(value, token, keyAuthorization);
    const name = entryName(value, httpChallengePath + token);
    return listeners.serveBeside(takeDown, { host, port, name, entry: keyAuthorization });
  };
}

function entryName(host: string, path: string): string {
  return `${host} ${path}`;
}

/** The name in a Host field, as identifiers write it. */
function hostOf(field: string | undefined): string {
  const { hostname } = URL.parse(`http://${field ?? ''}`) ?? { hostname: '' };
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
