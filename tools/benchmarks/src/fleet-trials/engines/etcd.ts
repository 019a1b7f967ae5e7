/** Three nodes of etcd, which reach each other through relays, too. */
import { Relay } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { cut, heldUp, killed, stopped } from './common-faults.ts';
import type { EngineOptions, StoreEngine } from './engine.ts';

/** Starts them; `null` where this machine has none. */
export async function startEtcd({ random }: EngineOptions): Promise<StoreEngine | null> {
  if (!hasEtcd) return null;
  const peers: Relay[] = [];
  const nodes = await EtcdServer.startCluster(3, async (port) => {
    const relay = await Relay.start(port);
    peers.push(relay);
    return relay.port;
  });
  const relays: Relay[] = [];
  for (const { port } of nodes) relays.push(await Relay.start(port));
  return {
    name: 'etcd',
    address: (cluster) => `etcd://${relays.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${cluster}`,
    faults: [
      ...nodes.flatMap((node, i) => [
        killed(`node ${i}`, node),
        stopped(`node ${i}`, node),
        heldUp(`clients of node ${i}`, relays.slice(i, i + 1), random),
        heldUp(`peers of node ${i}`, peers.slice(i, i + 1), random),
        ...cut(`clients of node ${i}`, relays.slice(i, i + 1), random),
      ]),
      ...cut('all clients', relays, random),
      ...cut('all peers', peers, random),
      heldUp('all clients', relays, random),
      {
        name: 'all nodes are killed',
        async strike() {
          await Promise.all(nodes.map((node) => node.kill()));
          await Promise.all(nodes.map((node) => node.run()));
        },
      },
    ],
    stop: async () => {
      for (const node of nodes) await node.stop();
      for (const relay of [...relays, ...peers]) await relay.stop();
    },
  };
}
