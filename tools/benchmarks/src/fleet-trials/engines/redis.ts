/** One Redis that has on disk what it acknowledges. */
import { hasRedis, RedisServer, Relay } from '@sluice/testing';
import { cut, heldUp, killed, stopped } from './common-faults.ts';
import type { EngineOptions, StoreEngine } from './engine.ts';

/** Starts it; `null` where this machine has none. */
export async function startRedis({ random }: EngineOptions): Promise<StoreEngine | null> {
  if (!hasRedis) return null;
  const server = await RedisServer.startCareful();
  const relay = await Relay.start(server.port);
  return {
    name: 'redis',
    address: (cluster) => `redis://127.0.0.1:${relay.port}/${cluster}`,
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
