/** How long a change takes until all members serve it, with a large document and requests running. */
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

/** Sizes. */
export interface SpeedPlan {
  readonly seed: number;
  readonly routes: number;
  readonly changes: number;
  /** Requests per second, to each member. */
  readonly rate: number;
}

/** As the issue wants it. */
export const fullSpeedPlan: SpeedPlan = { seed: 1, routes: 10_000, changes: 300, rate: 100 };

/** What came of it; times in milliseconds. */
export interface SpeedReport {
  /** From the request of the change until the last member has served it. */
  readonly median: number;
  readonly p99: number;
  readonly slowest: number;
  /** Of processor time, of all members together, for each change with the requests that ran beside it: this does not depend on the load. */
  readonly processor: number;
  /** Of a write of 4 KiB to the disk that the store is on, meanwhile. */
  readonly syncP99: number;
  /** Bytes of the largest entry of the log, but for its hashes and its numbers. */
  readonly largestEntry: number;
  readonly requests: number;
  /** What went wrong with requests, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** Processes that wanted to run, on average, in the minute before. */
  readonly load: number;
}

/** Runs it with an engine, which is left running. `command` is the server. */
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
      if (status !== 200) throw new Error(`the change was refused: ${status} ${text}`);
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

/** Asks a member again and again, on one connection. */
class Probe {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** When the member served this text for a host first. */
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
