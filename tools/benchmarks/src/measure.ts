/** Measures the servers in a scenario alternately. */
import { wayOf, type Contestant } from './contestants.ts';
import { countInstructions } from './instructions.ts';
import { measureLatency, rateFor } from './latency/measure.ts';
import type { Latency } from './latency/open-loop.ts';
import type { Scenario } from './scenarios.ts';
import type { Running } from './servers.ts';
import { median, pairedRatios, type Interval } from './statistics.ts';

export interface Measurements {
  /** Requests per second. */
  readonly rates: readonly number[];
  readonly costs: readonly number[];
  readonly instructions: readonly number[];
  /** Latencies at half of Caddy's throughput. The rate is the same for all servers. */
  readonly latencies: readonly Latency[];
}

export type Result = ReadonlyMap<string, Measurements>;

/** Durations of a benchmark's phases. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** CPU time for warming up each server, in seconds. The warm-up excludes JIT compilation from the measurement. */
  readonly warmUp: number;
  /** Number of latency rounds. Each round takes one second. */
  readonly latencyRounds: number;
  /** True to count CPU instructions. Counting them takes slightly longer. */
  readonly countsInstructions?: boolean;
}

/**
 * Runs a scenario. Each round measures every server once, and starts with a different server. Disturbances of the machine then affect all
 * servers equally.
 */
export async function measure(
  scenario: Scenario,
  contestants: readonly Contestant[],
  { rounds, seconds, warmUp, latencyRounds, countsInstructions = false }: Pace,
): Promise<Result> {
  const servers: Running[] = [];
  try {
    for (const contestant of contestants) {
      const server = await contestant.start(scenario, servers);
      if (server !== null) servers.push(server);
    }
    for (const server of servers) await warm(scenario, server, warmUp);
    const result = new Map(servers.map(({ name }) => [name, new Collected()]));
    for (const server of turns(servers, rounds)) {
      const counted = countsInstructions ? await countInstructions(server.pid) : null;
      const { rate, cost, requests } = await ask(scenario, server, seconds);
      const collected = result.get(server.name);
      collected?.rates.push(rate);
      collected?.costs.push(cost);
      if (counted !== null) collected?.instructions.push((await counted()) / requests);
    }
    const rate = rateFor(median((result.get('caddy') ?? [...result.values()][0])?.rates ?? []));
    for (const server of turns(servers, latencyRounds))
      result.get(server.name)?.latencies.push(await measureLatency(scenario, server, rate, 1));
    return result;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

class Collected implements Measurements {
  readonly rates: number[] = [];
  readonly costs: number[] = [];
  readonly instructions: number[] = [];
  readonly latencies: Latency[] = [];
}

/** Returns the order of the servers in all rounds. Each round starts with a different server. */
function turns(servers: readonly Running[], rounds: number): Running[] {
  return Array.from({ length: rounds }, (_, round) => {
    const first = round % Math.max(1, servers.length);
    return [...servers.slice(first), ...servers.slice(0, first)];
  }).flat();
}

/** Sends requests until the server has used the given CPU time. On a busy machine, this takes longer. */
async function warm(scenario: Scenario, server: Running, seconds: number): Promise<void> {
  const began = server.processorTime();
  for (let attempt = 0; attempt < 5; attempt++) {
    await ask(scenario, server, seconds);
    if (server.processorTime() - began >= 0.8 * seconds * 1e6) return;
  }
}

async function ask(
  scenario: Scenario,
  server: Running,
  seconds: number,
): Promise<{ rate: number; cost: number; requests: number }> {
  const { path, connections = 64, streams = 1 } = scenario;
  const before = server.processorTime();
  const load = await wayOf(scenario).ask({ port: server.port, path, seconds, connections, streams });
  if (load.errors > 0) throw new Error(`${scenario.name}: ${server.name} returned ${load.errors} errors`);
  if (load.requests === 0) throw new Error(`${scenario.name}: ${server.name} did not respond`);
  const cost = (server.processorTime() - before) / load.requests;
  return { rate: load.requestsPerSecond, cost, requests: load.requests };
}

/** Compares Sluice with a competitor by requests per second and by CPU time per request. Higher ratios are better for Sluice. */
export function ratiosTo(result: Result, rival: string, ours = 'sluice'): { rate: Interval; cost: Interval } | null {
  const [one, other] = [result.get(ours), result.get(rival)];
  if (one === undefined || other === undefined) return null;
  return { rate: pairedRatios(one.rates, other.rates), cost: pairedRatios(other.costs, one.costs) };
}
