/** Latency at a fixed rate: the same for every server. */
import { fileURLToPath } from 'node:url';
import { printed } from '../load.ts';
import type { Scenario } from '../scenarios.ts';
import type { Running } from '../servers.ts';
import { secureHost } from '../tls/config.ts';
import { wayOf } from '../contestants.ts';
import { whileAwake } from './keep-awake.ts';
import type { Latency, Plan } from './open-loop.ts';

const openLoop = fileURLToPath(new URL('open-loop.ts', import.meta.url));

/** More than our generator can ask for with times that mean something. */
const greatestRate = 30_000;

/** The rate at which all servers are asked: half of what the reference can. */
export function rateFor(capacity: number): number {
  return Math.min(greatestRate, capacity / 2);
}

/** Asks a server at a rate. */
export async function measureLatency(
  scenario: Scenario,
  server: Running,
  rate: number,
  seconds: number,
): Promise<Latency> {
  const { path, headers = [], connections = 64, streams = 1 } = scenario;
  const protocol = wayOf(scenario).protocol ?? 'http1';
  const serverName = wayOf(scenario).isSecure === true ? secureHost : null;
  const lanes = connections * streams;
  const plan: Plan = { port: server.port, path, headers, rate, seconds, lanes, protocol, serverName };
  const command = [process.execPath, openLoop, JSON.stringify(plan)];
  return JSON.parse(await whileAwake(() => printed(command))) as Latency;
}
