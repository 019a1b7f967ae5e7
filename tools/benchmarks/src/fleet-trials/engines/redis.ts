/** Fleet store of a single Redis server. It acknowledges changes only after they are on disk. */
import { hasRedis, RedisServer, Relay } from '@sluice/testing';
import { cut, heldUp, killed, stopped } from './common-faults.ts';
import type { EngineOptions, StoreEngine } from './engine.ts';

/** Reads the value of every key, using the command for the value's type. */
function dumpOf(server: RedisServer): Buffer {
  const reads: Readonly<Record<string, (key: string) => string>> = {
    string: (key) => server.control('GET', key),
    hash: (key) => server.control('HGETALL', key),
    stream: (key) => server.control('XRANGE', key, '-', '+'),
    zset: (key) => server.control('ZRANGE', key, '0', '-1'),
  };
  const keys = server.control('KEYS', '*').split('\n').filter(Boolean);
  return Buffer.from(keys.map((key) => `${key}\n${reads[server.control('TYPE', key)]?.(key)}`).join('\n'));
}

/** Starts the Redis server. Returns `null` if Redis is not installed. */
export async function startRedis({ random }: EngineOptions): Promise<StoreEngine | null> {
  if (!hasRedis) return null;
  const server = await RedisServer.startCareful();
  const relay = await Relay.start(server.port);
  return {
    name: 'redis',
    address: (cluster) => `redis://127.0.0.1:${relay.port}/${cluster}`,
    store: { engine: 'redis', endpoints: [`127.0.0.1:${relay.port}`] },
    dump: async () => [dumpOf(server)],
    takeAway: async () => {
      await server.kill();
      return () => server.run();
    },
    faults: [
      killed('the server', server),
      stopped('the server', server),
      heldUp('clients', [relay], random),
      ...cut('clients', [relay], random),
    ],
    stop: async () => {
      await server.stop();
      await relay.stop();
    },
  };
}
