/** Measures the time from a change until all members serve it, with a large document and under load. */
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyLoad } from '../soak/steady-load.ts';
import { median, percentile } from '../statistics.ts';
import { syncTime } from './disk.ts';
import type { StoreEngine } from './engines/index.ts';
import { says, startFleet } from './fleet-of-members.ts';
import { historySince } from './observe.ts';
import type { MemberProcess } from './member-process.ts';
import { Random } from './random.ts';

export interface SpeedPlan {
  readonly seed: number;
  readonly routes: number;
  readonly changes: number;
  /** Request rate for each member, in requests per second. */
  readonly rate: number;
}

/** Parameters of the full speed trial. */
export const fullSpeedPlan: SpeedPlan = { seed: 1, routes: 10_000, changes: 300, rate: 100 };

/** Results of the speed trial. Times are in milliseconds. */
export interface SpeedReport {
  /** Median time from a change request until the last member serves the change. */
  readonly median: number;
  readonly p99: number;
  readonly slowest: number;
  /** CPU time of all members per change, including the concurrent requests. It does not depend on the machine's load. */
  readonly processor: number;
  /** p99 duration of a synced 4 KiB write on the store's disk during the trial. */
  readonly syncP99: number;
  /** Size of the largest log entry in bytes, excluding hashes and numbers. */
  readonly largestEntry: number;
  readonly requests: number;
  /** Number of failed requests, keyed by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** One-minute load average before the trial. */
  readonly load: number;
}

/** Runs the speed trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function trySpeed(engine: StoreEngine, command: readonly string[], plan: SpeedPlan): Promise<SpeedReport> {
  const random = new Random(plan.seed);
  const routes = Array.from({ length: plan.routes }, (_, i) =>
    says(`site ${i}`, { match: [{ host: [`site-${i}.test`] }] }),
  );
  const fleet = await startFleet({
    command,
    members: 3,
    address: () => engine.address(`speed-${plan.seed}`),
    document: { routes: [...routes, says('ok')] },
  });
  const { members } = fleet;
  const probes = members.map(({ httpPort }) => new Probe(httpPort));
  const loads = members.map(
    ({ httpPort: port }) => new SteadyLoad({ port, path: '/', connections: 10, rate: plan.rate }),
  );
  try {
    for (const load of loads) load.start();
    const used = members.map((member) => member.processorTime());
    const times: number[] = [];
    const syncTimes: number[] = [];
    for (let i = 0; i < plan.changes; i++) {
      const route = random.below(plan.routes);
      const began = performance.now();
      const path = `/config/apps/http/servers/s/routes/${route}/handle/0/body`;
      const changed = random.any(members).ask({ method: 'PATCH', path, body: `change ${i}` });
      const served = await Promise.all(probes.map((probe) => probe.sees(`site-${route}.test`, `change ${i}`)));
      times.push(Math.max(...served) - began);
      const { status, text } = await changed;
      if (status !== 200) throw new Error(`the change was rejected: ${status} ${text}`);
      syncTimes.push(await syncTime(fleet.folder));
    }
    const processor = members.reduce((sum, member, i) => sum + member.processorTime() - (used[i] ?? 0), 0);
    const results = await Promise.all(loads.map((load) => load.stop()));
    const made = await historySince(members[0] as MemberProcess, 1);
    return {
      median: rounded(median(times)),
      p99: rounded(percentile(times, 0.99)),
      slowest: rounded(Math.max(...times)),
      processor: rounded(processor / plan.changes),
      syncP99: rounded(percentile(syncTimes, 0.99)),
      largestEntry: Math.max(...made.map((revision) => Buffer.byteLength(JSON.stringify(revision)))),
      requests: results.reduce((sum, { responded }) => sum + responded, 0),
      failures: Object.assign({}, ...results.map(({ failures }) => failures)) as Record<string, number>,
      load: rounded(loadavg()[0] ?? 0),
    };
  } finally {
    for (const load of loads) await load.stop();
    for (const probe of probes) probe.close();
    await fleet.stop();
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Polls a member over a single connection. */
class Probe {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Returns the time at which the member first served a text for a host. */
  async sees(host: string, text: string): Promise<number> {
    while ((await this.#ask(host)) !== text) await sleep(1);
    return performance.now();
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(host: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: this.#port, agent: this.#agent, headers: { host } });
      call.on('error', reject);
      call.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      });
      call.end();
    });
  }
}
