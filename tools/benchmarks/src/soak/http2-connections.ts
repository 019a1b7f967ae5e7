/**
 * Soak test of HTTP/2 connections that open and close: some with GOAWAY, some during a response, some with closed flow control windows.
 * Memory after garbage collection must not grow with the number of connections.
 */
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { withRoutes } from '../configs.ts';
import { startNative } from '../servers.ts';
import { collectedMemory } from './collected-memory.ts';

export interface ConnectionsPlan {
  readonly rounds: number;
  /** Number of connections per round, and number of concurrent connections. */
  readonly connections: number;
  readonly atATime: number;
}

export interface ConnectionsSoak {
  readonly responses: number;
  /** Memory of all threads after each round in bytes, starting after a warm-up round. 0 if the server has no endpoint for heap snapshots. */
  readonly collected: readonly number[];
  /** Resident memory at the end of the test, in MiB. */
  readonly resident: number;
}

/** Parameters for a test with several thousand connections. */
export const fullConnectionsPlan: ConnectionsPlan = { rounds: 4, connections: 2000, atATime: 100 };

/** Opens connections, and sends ten requests on each. */
export async function soakHttp2Connections(
  name: string,
  command: readonly string[],
  { rounds, connections, atATime }: ConnectionsPlan,
): Promise<ConnectionsSoak> {
  const body = 'x'.repeat(100_000);
  const routes = [{ handle: [{ handler: 'static_response', body }] }];
  const server = await startNative(name, command, (port) => {
    const config = withRoutes(routes)(port) as { apps: { http: { servers: { s: object } } } };
    Object.assign(config.apps.http.servers.s, { protocols: ['h1', 'h2c'] });
    return config;
  });
  const collected: number[] = [];
  let responses = 0;
  try {
    for (let round = 0; round <= rounds; round++) {
      for (let i = 0; i < connections; i += atATime) {
        const counts = await Promise.all(Array.from({ length: atATime }, (_, k) => oneConnection(server.port, k)));
        responses += counts.reduce((sum, count) => sum + count, 0);
      }
      collected.push(await collectedMemory(server.admin));
    }
    return { responses, collected, resident: Math.round(server.memory()) };
  } finally {
    await server.stop();
  }
}

/** Opens a connection and sends requests. Returns the number of complete responses. */
async function oneConnection(port: number, kind: number): Promise<number> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  // A third of the connections read nothing, and another third read only a part of the response.
  const settings = kind % 3 === 1 ? { initialWindowSize: 0 } : {};
  const session = connect('http://soak.test', { createConnection: () => socket, settings }).on(
    'error',
    () => undefined,
  );
  const streams = Array.from({ length: 10 }, () => session.request());
  for (const stream of streams) stream.on('error', () => undefined);
  if (kind % 3 === 0) {
    await Promise.all(streams.map((stream) => once(stream.resume(), 'end')));
    session.close();
    await once(session, 'close');
    return streams.length;
  }
  await once(streams[0] as NonNullable<(typeof streams)[0]>, 'response');
  leave(session, kind);
  await once(session, 'close');
  return 0;
}

function leave(session: ClientHttp2Session, kind: number): void {
  if (kind % 2 === 0) session.destroy(undefined, constants.NGHTTP2_CANCEL);
  else session.socket.destroy();
}
