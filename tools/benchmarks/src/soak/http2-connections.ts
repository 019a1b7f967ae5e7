/**
 * Connections of HTTP/2 that come and go: some say goodbye, some end in the middle of a response, some with their windows
 * closed. What the server holds after a collection must not grow with their number.
 */
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { withRoutes } from '../configs.ts';
import { startNative } from '../servers.ts';
import { collectedMemory } from './collected-memory.ts';

/** How many. */
export interface ConnectionsPlan {
  readonly rounds: number;
  /** Connections of a round, and how many are open at a time. */
  readonly connections: number;
  readonly atATime: number;
}

/** What came of it. */
export interface ConnectionsSoak {
  readonly responses: number;
  /** Bytes that all threads hold after each round; the first one is after a round that does not count. 0 where a server does not tell. */
  readonly collected: readonly number[];
  /** Resident MiB at the end. */
  readonly resident: number;
}

/** Some thousand connections. */
export const fullConnectionsPlan: ConnectionsPlan = { rounds: 4, connections: 2000, atATime: 100 };

/** Opens connections, each with ten requests. */
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

/** Gives how many whole responses there were. */
async function oneConnection(port: number, kind: number): Promise<number> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  // Every third one takes nothing, every third one a part only.
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
