/** Measures latency at the same fixed request rate for all servers. */
import { fileURLToPath } from 'node:url';
import { printed } from '../load.ts';
import type { Scenario } from '../scenarios.ts';
import type { Running } from '../servers.ts';
import { secureHost } from '../tls/config.ts';
import { wayOf } from '../contestants.ts';
import { whileAwake } from './keep-awake.ts';
import type { Latency, Plan } from './open-loop.ts';

const openLoop = fileURLToPath(new URL('open-loop.ts', import.meta.url));

/** Maximum request rate at which the load generator's timings are meaningful. */
const maxRate = 30_000;

/** Returns the request rate for all servers: half of Caddy's capacity. */
export function rateFor(capacity: number): number {
  return Math.min(maxRate, capacity / 2);
}

export async function measureLatency(
  scenario: Scenario,
  server: Running,
  rate: number,
  seconds: number,
): Promise<Latency> {
  const { path, headers = [], connections = 64, streams = 1 } = scenario;
  const protocol = wayOf(scenario).protocol ?? 'http1';
  if (protocol === 'http3') throw new Error(`${scenario.name}: the latency client does not support HTTP/3`);
  const serverName = wayOf(scenario).isSecure === true ? secureHost : null;
  const lanes = connections * streams;
  const plan: Plan = { port: server.port, path, headers, rate, seconds, lanes, protocol, serverName };
  const command = [process.execPath, openLoop, JSON.stringify(plan)];
  return JSON.parse(await whileAwake(() => printed(command))) as Latency;
}
