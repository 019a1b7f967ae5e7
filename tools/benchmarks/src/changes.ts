/** Measures one-line configuration changes among many routes. Reports changes per second, with and without load, and the effect on requests. */
import { hosts, plain, withRoutes } from './configs.ts';
import { measureLatency } from './latency/measure.ts';
import { load, type Load } from './load.ts';
import { adminCall } from './admin-call.ts';
import { nativeServers, startNative, type Running } from './servers.ts';
import { median, percentile } from './statistics.ts';

/** Change measurements of one server. Lists contain one value per round. Times are in milliseconds. */
export interface ChangeMeasurements {
  readonly rates: readonly number[];
  /** Median and p99 time from a change request to its response. */
  readonly medians: readonly number[];
  readonly p99s: readonly number[];
  /** p99 request latency during changes, and during an equally long period without changes. Empty if there was no load. */
  readonly requestP99s: readonly number[];
  readonly quietP99s: readonly number[];
  readonly failed: readonly number[];
}

/** Results of each server for a given number of routes, with or without load on another route. */
export interface ChangeResult {
  readonly routes: number;
  readonly loaded: boolean;
  readonly servers: ReadonlyMap<string, ChangeMeasurements>;
}

/** Warm-up duration, in seconds. The warm-up excludes JIT compilation from the measurement. */
const warmUp = 2;

class Collected implements ChangeMeasurements {
  readonly rates: number[] = [];
  readonly medians: number[] = [];
  readonly p99s: number[] = [];
  readonly requestP99s: number[] = [];
  readonly quietP99s: number[] = [];
  readonly failed: number[] = [];
}

/** Repeatedly changes the body of one route. Measurements of the servers alternate, with and without load. */
export async function measureChanges(routes: number, rounds: number, seconds: number): Promise<ChangeResult[]> {
  const servers: Running[] = [];
  try {
    for (const { name, command } of nativeServers())
      servers.push(await startNative(name, command, withRoutes(hosts(routes))));
    const [quiet, loaded] = [false, true].map(() => new Map(servers.map(({ name }) => [name, new Collected()])));
    for (const server of servers) {
      await changeFor(server, routes, warmUp);
      await requests(server, 0.5);
    }
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        add(quiet?.get(server.name), await changeFor(server, routes, seconds));
        const before = await requests(server, seconds);
        const meanwhile = requests(server, seconds);
        const collected = loaded?.get(server.name);
        add(collected, await changeFor(server, routes, seconds - 0.1));
        const after = await meanwhile;
        collected?.quietP99s.push(before.p99);
        collected?.requestP99s.push(after.p99);
        collected?.failed.push(after.errors);
      }
    }
    return [
      { routes, loaded: false, servers: quiet ?? new Map() },
      { routes, loaded: true, servers: loaded ?? new Map() },
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function requests({ port }: Running, seconds: number): Promise<Load> {
  return load(`http://127.0.0.1:${port}/`, { seconds, connections: 8, headers: ['Host: h0.example.test'] });
}

/**
 * Makes one configuration change, and retries failed attempts. Caddy reopens its admin API on each change, and resets connections that
 * arrive too early.
 */
export async function change(admin: number, path: string, value: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await adminCall(admin, 'PATCH', path, value);
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

/** Makes configuration changes for a fixed time. Returns the duration of each change in milliseconds. */
async function changeFor({ name, admin }: Running, routes: number, seconds: number): Promise<number[]> {
  const path = `/config/apps/http/servers/s/routes/${routes >> 1}/handle/0/body`;
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const began = performance.now();
    const status = await change(admin, path, `body ${times.length}`);
    if (status !== 200) throw new Error(`${name}: a change returned ${status}`);
    times.push(performance.now() - began);
  }
  return times;
}

function add(collected: Collected | undefined, times: readonly number[]): void {
  collected?.rates.push((times.length * 1000) / times.reduce((sum, time) => sum + time, 0));
  collected?.medians.push(median(times));
  collected?.p99s.push(percentile(times, 0.99));
}

/** Latency at a fixed request rate, without changes and during 200 changes in two seconds. */
export interface ChangedLatency {
  readonly quiet: readonly number[];
  readonly changed: readonly number[];
  readonly failed: number;
}

/** Sends requests at a fixed rate while another route changes 100 times per second. Returns the p99 latency with and without changes. */
export async function measureLatencyUnderChanges(
  rate: number,
  rounds: number,
): Promise<ReadonlyMap<string, ChangedLatency>> {
  const result = new Map<string, { quiet: number[]; changed: number[]; failed: number }>();
  const routes = [...hosts(10), ...plain];
  const scenario = { name: 'plain response under changes', routes, path: '/' };
  const servers: Running[] = [];
  try {
    for (const { name, command } of nativeServers()) {
      servers.push(await startNative(name, command, withRoutes(routes)));
      result.set(name, { quiet: [], changed: [], failed: 0 });
    }
    for (const server of servers) await underChanges(server, () => measureLatency(scenario, server, rate, warmUp));
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const collected = result.get(server.name);
        collected?.quiet.push((await measureLatency(scenario, server, rate, 2)).p99);
        const { p99, failed } = await underChanges(server, () => measureLatency(scenario, server, rate, 2));
        collected?.changed.push(p99);
        if (collected !== undefined) collected.failed += failed;
      }
    }
    return result;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Runs a measurement while the configuration of a server changes. */
async function underChanges<T>(server: Running, measured: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const changes = changeAtPace(server, stop.signal);
  try {
    return await measured();
  } finally {
    stop.abort();
    await changes;
  }
}

/** Makes one configuration change every ten milliseconds. */
async function changeAtPace({ admin }: Running, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  for (let i = 1; !signal.aborted; i++) {
    await change(admin, '/config/apps/http/servers/s/routes/5/handle/0/body', `body ${i}`);
    const ahead = began + i * 10 - performance.now();
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
}
