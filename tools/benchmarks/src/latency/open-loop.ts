/**
 * Sends requests at a fixed rate for the given number of seconds, and prints the latencies. Runs in a separate process.
 *   node open-loop.ts '{"port": 80, "path": "/", "rate": 1000, "seconds": 3, "lanes": 64, "protocol": "http1", …}'
 */
import { HandshakeClient, handshakePlan } from '../tls/handshake-client.ts';
import { percentile } from '../statistics.ts';
import { openHttp1Lane, type Target } from './http1-lane.ts';
import { openHttp2Lanes } from './http2-lane.ts';
import { runSchedule, type Lane } from './schedule.ts';

export interface Plan extends Target {
  readonly rate: number;
  readonly seconds: number;
  /** Maximum number of concurrent requests of the load generator. */
  readonly lanes: number;
  readonly protocol: 'http1' | 'http2' | 'handshakes';
}

/** Printed results of the load generator. Times are in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly failed: number;
  /** p99 of the load generator's own delay. All measured times include this delay. */
  readonly lateness: number;
}

async function openLanes(plan: Plan): Promise<Lane[]> {
  if (plan.protocol === 'handshakes') {
    const handshake = handshakePlan(plan.port, plan.serverName ?? '', plan.path);
    return Array.from({ length: plan.lanes }, () => ({
      send: (done) => new HandshakeClient(handshake, done).start(),
    }));
  }
  if (plan.protocol === 'http2') {
    const connections = 16;
    const each = Math.ceil(plan.lanes / connections);
    const opened = await Promise.all(Array.from({ length: connections }, () => openHttp2Lanes(plan, each)));
    // Interleave the lanes of all connections, so that even a few concurrent requests use all connections.
    return Array.from({ length: each }, (_, i) => opened.map((lanes) => lanes[i] as Lane)).flat();
  }
  return Promise.all(Array.from({ length: plan.lanes }, () => openHttp1Lane(plan)));
}

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const lanes = await openLanes(plan);
await runSchedule(lanes, plan.rate, Math.min(1, plan.seconds / 2));
const { times, failed, lateness } = await runSchedule(lanes, plan.rate, plan.seconds);
const latency: Latency = {
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  p999: percentile(times, 0.999),
  failed,
  lateness: percentile(lateness, 0.99),
};
console.log(JSON.stringify(latency));
process.exit(0);
