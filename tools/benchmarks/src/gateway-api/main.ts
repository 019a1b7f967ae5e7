/**
 * Measures a Gateway API implementation in the cluster of the conformance suite. `npm run gateway-api:bench` calls this file.
 *   [--small 50] [--medium 3000] [--large 5000] [--events 60] [--changed 1000]
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../statistics.ts';
import { TestCluster } from './cluster.ts';
import { Bench } from './measure.ts';
import { collections, gateway, gatewayClass, namespace } from './objects.ts';
import { GatewayClient, startUpstream } from './requests.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '50' },
    medium: { type: 'string', default: '3000' },
    large: { type: 'string', default: '5000' },
    events: { type: 'string', default: '60' },
    changed: { type: 'string', default: '1000' },
  },
});
const [small, medium, large] = [Number(values.small), Number(values.medium), Number(values.large)];
const port = 80;

const run = variable('HARNESS_RUN');
const cluster = new TestCluster(variable('API'), variable('TOKEN'), `${run}/pki/ca.crt`);
const pid = Number(readFileSync(`${run}/server.pid`, 'utf8'));
const address = variable('NODE_ADDR');
const ports = [await startUpstream(address, '0'), await startUpstream(address, '1')] as const;
const client = new GatewayClient(variable('GATEWAY_ADDRS').split(' ')[0] ?? '', port);
const bench = new Bench(cluster, client, { pid, address, ports });

await cluster.apply(collections.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await cluster.apply(collections.classes, gatewayClass(variable('CONTROLLER')));
await cluster.apply(collections.gateways, gateway(port));
await grow(small);
await events();
await grow(medium);
const times = await bench.newRoutes(Number(values.events));
console.log(`${medium} routes, a new route is served after ${timesOf(times)}`);
await grow(large);
await events();
const { requests, failed, seconds } = await bench.churn(Number(values.changed), 8);
console.log(
  `${values.changed} routes and all EndpointSlices changed in ${seconds.toFixed(0)} s: ${failed} of ${requests} requests failed`,
);
console.log(`after the changes: ${bench.memory().toFixed(0)} MB`);
process.exit(failed === 0 ? 0 : 1);

async function grow(count: number): Promise<void> {
  const { created, served } = await bench.grow(count);
  const soon = bench.memory();
  await sleep(15_000);
  console.log(
    `${count} routes: created in ${created.toFixed(1)} s, served ${served.toFixed(1)} s later, ${soon.toFixed(0)} MB, 15 s later ${bench.memory().toFixed(0)} MB`,
  );
}

async function events(): Promise<void> {
  for (const kind of ['EndpointSlice', 'HTTPRoute'] as const) {
    const { processor, served } = await bench.events(kind, Number(values.events));
    console.log(`  changed ${kind}: ${processor.toFixed(1)} ms of processor, served after ${timesOf(served)}`);
  }
}

function timesOf(all: readonly number[]): string {
  return `${percentile(all, 0.5).toFixed(1)} ms (p50), ${percentile(all, 0.99).toFixed(1)} ms (p99)`;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this program with "npm run gateway-api:bench"`);
  return value;
}
