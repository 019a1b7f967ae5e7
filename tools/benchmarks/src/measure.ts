/** Asks the contestants of a scenario in turns. */
import { wayOf, type Contestant } from './contestants.ts';
import { countInstructions } from './instructions.ts';
import { measureLatency, rateFor } from './latency/measure.ts';
import type { Latency } from './latency/open-loop.ts';
import type { Scenario } from './scenarios.ts';
import type { Running } from './servers.ts';
import { median, pairedRatios, type Interval } from './statistics.ts';

/** What one server did, a measurement per round. */
export interface Measurements {
  /** Requests per second. */
  readonly rates: readonly number[];
  /** Microseconds of its processors per request. */
  readonly costs: readonly number[];
  /** Instructions per request; empty where they were not counted. */
  readonly instructions: readonly number[];
  /** At half of what the reference can, the same requests per second for all. */
  readonly latencies: readonly Latency[];
}

/** The measurements of one scenario, by server. */
export type Result = ReadonlyMap<string, Measurements>;

/** How long is measured. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of processor time that each server is given before: what is compiled meanwhile is not measured. */
  readonly warmUp: number;
  /** Rounds in which latency is measured, of a second each. */
  readonly latencyRounds: number;
  /** Whether instructions are counted, which takes a moment more. */
  readonly countsInstructions?: boolean;
}

/**
 * Runs a scenario: every server is asked once in each round, and each round begins with another one, so that what the machine
 * does meanwhile meets all of them.
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

/** All servers for each round, beginning with another one each time. */
function turns(servers: readonly Running[], rounds: number): Running[] {
  return Array.from({ length: rounds }, (_, round) => {
    const first = round % Math.max(1, servers.length);
    return [...servers.slice(first), ...servers.slice(0, first)];
  }).flat();
}

/** Asks until the server has worked for so long: on a busy machine that takes more seconds than on a quiet one. */
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
  if (load.errors > 0) throw new Error(`${scenario.name}: ${server.name} gave ${load.errors} errors`);
  if (load.requests === 0) throw new Error(`${scenario.name}: ${server.name} responded to nothing`);
  const cost = (server.processorTime() - before) / load.requests;
  return { rate: load.requestsPerSecond, cost, requests: load.requests };
}

/** How ours compares with a rival: by requests per second, and by processor time per request; more is better. */
export function ratiosTo(result: Result, rival: string, ours = 'sluice'): { rate: Interval; cost: Interval } | null {
  const [one, other] = [result.get(ours), result.get(rival)];
  if (one === undefined || other === undefined) return null;
  return { rate: pairedRatios(one.rates, other.rates), cost: pairedRatios(other.costs, one.costs) };
}
