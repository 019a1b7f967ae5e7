/**
 * Soak test with a Node.js upstream that closes idle connections at the moment the next request arrives. Half of the requests are POST
 * requests with a body, which must not be sent twice. The proxy must therefore not use a connection that is about to close.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withRoutes } from '../configs.ts';
import { startNative } from '../servers.ts';
import { Client, type LoadResult } from './steady-load.ts';
import { UpstreamProcess } from './upstream-process.ts';

export interface KeepAlivePlan {
  readonly keepAlive: number;
  /** Maximum deviation of request gaps from the keep-alive timeout. Gaps range evenly from `keepAlive - spread` to `keepAlive + spread`. */
  readonly spread: number;
  readonly connections: number;
  readonly requests: number;
}

/** Parameters of the full keep-alive test. */
export const fullKeepAlivePlan: KeepAlivePlan = { keepAlive: 5000, spread: 100, connections: 2000, requests: 20_000 };

export async function soakKeepAlive(
  name: string,
  command: readonly string[],
  { keepAlive, spread, connections, requests }: KeepAlivePlan,
): Promise<LoadResult> {
  const upstream = await new UpstreamProcess(keepAlive).start();
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${upstream.port}` }],
    transport: { protocol: 'http', keep_alive: { max_idle_conns_per_host: connections } },
  };
  const server = await startNative(name, command, withRoutes([{ handle: [proxy] }]));
  const failures: Record<string, number> = {};
  let responded = 0;
  const rounds = Math.ceil(requests / connections);
  const run = async (index: number): Promise<void> => {
    const client = new Client({ port: server.port, path: '/' }, (failure) => {
      if (failure === null) responded++;
      else failures[failure] = (failures[failure] ?? 0) + 1;
    });
    // Stagger the connections, because each of them waits about as long as the upstream's timeout.
    await sleep((index * keepAlive) / connections);
    for (let round = 0; round < rounds; round++) {
      client.send((index + round) % 2 === 1);
      await sleep(keepAlive - spread + (2 * spread * ((index * 7 + round * 13) % 101)) / 100);
    }
    client.close();
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
    return { sent: rounds * connections, responded, failures };
  } finally {
    await server.stop();
    await upstream.kill();
  }
}
