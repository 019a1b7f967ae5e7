/** Soak test that kills and restarts one of two upstreams under load. If retries are enabled, no idempotent request may fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withRoutes } from '../configs.ts';
import { startNative } from '../servers.ts';
import { SteadyLoad, type LoadResult } from './steady-load.ts';
import { UpstreamProcess } from './upstream-process.ts';

export interface FailoverPlan {
  readonly requestsPerSecond: number;
  readonly seconds: number;
  /** Number of times that the upstream is killed. */
  readonly kills: number;
}

/** Parameters of the full failover test. */
export const fullFailoverPlan: FailoverPlan = { requestsPerSecond: 2000, seconds: 60, kills: 20 };

export async function soakFailover(
  name: string,
  command: readonly string[],
  { requestsPerSecond, seconds, kills }: FailoverPlan,
): Promise<LoadResult> {
  const steady = await new UpstreamProcess().start();
  const shaky = await new UpstreamProcess().start();
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${shaky.port}` }, { dial: `127.0.0.1:${steady.port}` }],
    load_balancing: { selection_policy: { policy: 'round_robin' }, retries: 3, try_interval: '10ms' },
  };
  const server = await startNative(name, command, withRoutes([{ handle: [proxy] }]));
  try {
    const load = new SteadyLoad({ port: server.port, path: '/', connections: 50, rate: requestsPerSecond });
    load.start();
    const pause = (seconds * 1000) / kills / 2;
    for (let kill = 0; kill < kills; kill++) {
      await sleep(pause);
      await shaky.kill();
      await sleep(pause);
      await shaky.start();
    }
    return await load.stop();
  } finally {
    await server.stop();
    await shaky.kill();
    await steady.kill();
  }
}
