/** Fleet store of three etcd nodes. The nodes also connect to each other through relays. */
import { Relay } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { ask } from '../admin-client.ts';
import { cut, heldUp, killed, stopped } from './common-faults.ts';
import type { EngineOptions, StoreEngine } from './engine.ts';

/** Reads all keys and values through an etcd node's JSON gateway. */
async function dumpOf(port: number): Promise<readonly Buffer[]> {
  const first = Buffer.from([0]).toString('base64');
  const body = { key: first, range_end: first };
  const { text } = await ask(port, { method: 'POST', path: '/v3/kv/range', body });
  const { kvs = [] } = JSON.parse(text) as {
    readonly kvs?: readonly { readonly key: string; readonly value?: string }[];
  };
  return kvs.flatMap(({ key, value = '' }) => [Buffer.from(key, 'base64'), Buffer.from(value, 'base64')]);
}

/** Starts the etcd nodes. Returns `null` if etcd is not installed. */
export async function startEtcd({ random, fsync = false }: EngineOptions): Promise<StoreEngine | null> {
  if (!hasEtcd) return null;
  const peers: Relay[] = [];
  const relayed = async (port: number): Promise<number> => {
    const relay = await Relay.start(port);
    peers.push(relay);
    return relay.port;
  };
  const nodes = await EtcdServer.startCluster(3, { relayed, fsync });
  const relays: Relay[] = [];
  for (const { port } of nodes) relays.push(await Relay.start(port));
  const endpoints = relays.map(({ port }) => `127.0.0.1:${port}`);
  const kill = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.kill())));
  const run = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.run())));
  return {
    name: 'etcd',
    address: (cluster) => `etcd://${endpoints.join(',')}/${cluster}`,
    store: { engine: 'etcd', endpoints },
    dump: () => dumpOf((nodes[0] as EtcdServer).port),
    takeAway: async () => {
      await kill();
      return run;
    },
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
          await kill();
          await run();
        },
      },
    ],
    stop: async () => {
      for (const node of nodes) await node.stop();
      for (const relay of [...relays, ...peers]) await relay.stop();
    },
  };
}
