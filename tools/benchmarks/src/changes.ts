/** What a one-line change costs: changes per second among many routes, and what requests notice of it. */
import { hosts, withRoutes } from './configs.ts';
import { load } from './load.ts';
import { median, percentile } from './machine.ts';
import { adminCall, nativeServers, startNative } from './servers.ts';

/** The measurements of one server. */
export interface ChangeResult {
  readonly server: string;
  readonly routes: number;
  readonly changesPerSecond: number;
  /** Milliseconds from request to response. */
  readonly median: number;
  readonly p99: number;
  /** 99th percentile of requests meanwhile, in milliseconds, and how many failed. */
  readonly requestP99: number;
  readonly requestErrors: number;
}

/** Changes the body of one route again and again while requests to another run. */
export async function measureChanges(routes: number, seconds: number): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  for (const { name, command } of nativeServers()) {
    const server = await startNative(name, command, withRoutes(hosts(routes)));
    try {
      const path = `/config/apps/http/servers/s/routes/${routes >> 1}/handle/0/body`;
      for (let i = 0; i < 3; i++) await adminCall(server.admin, 'PATCH', path, `warm ${i}`);
      const requests = load(`http://127.0.0.1:${server.port}/`, {
        seconds,
        connections: 8,
        headers: ['Host: h0.example.test'],
      });
      const times: number[] = [];
      const end = performance.now() + seconds * 1000 - 200;
      while (performance.now() < end) {
        const began = performance.now();
        const status = await adminCall(server.admin, 'PATCH', path, `body ${times.length}`);
        if (status !== 200) throw new Error(`${name}: a change got ${status}`);
        times.push(performance.now() - began);
      }
      const { p99, errors } = await requests;
      results.push({
        server: name,
        routes,
        changesPerSecond: (times.length * 1000) / times.reduce((sum, time) => sum + time, 0),
        median: median(times),
        p99: percentile(times, 0.99),
        requestP99: p99,
        requestErrors: errors,
      });
    } finally {
      await server.stop();
    }
  }
  return results;
}
