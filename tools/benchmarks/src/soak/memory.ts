/** Samples the memory of a server process over many proxied requests. Memory must not grow with the number of requests. */
import { withRoutes } from '../configs.ts';
import { load } from '../load.ts';
import { startNative } from '../servers.ts';
import { UpstreamProcess } from './upstream-process.ts';

export interface MemorySoak {
  readonly requests: number;
  readonly errors: number;
  /** Resident memory after each round, in MiB, starting after the warm-up round. */
  readonly samples: readonly number[];
}

/** Proxies at least the given number of requests, in rounds of a few seconds. */
export async function soakMemory(
  name: string,
  command: readonly string[],
  least: number,
  roundSeconds: number,
): Promise<MemorySoak> {
  const upstream = await new UpstreamProcess().start();
  const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${upstream.port}` }] };
  const server = await startNative(name, command, withRoutes([{ handle: [proxy] }]));
  const samples: number[] = [];
  let requests = 0;
  let errors = 0;
  try {
    while (requests < least) {
      const result = await load(`http://127.0.0.1:${server.port}/`, { seconds: roundSeconds, connections: 32 });
      requests += Math.round(result.requestsPerSecond * roundSeconds);
      errors += result.errors;
      samples.push(Math.round(server.memory()));
    }
    return { requests, errors, samples };
  } finally {
    await server.stop();
    await upstream.kill();
  }
}
