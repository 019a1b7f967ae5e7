/**
 * Runs all malicious clients concurrently for a given time, together with ordinary requests. Afterward, the server must have released all
 * memory and file descriptors of these clients. Nothing may delay its shutdown.
 */
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNative, type MakeConfig, type Running } from '../servers.ts';
import { Abusers } from './abusers.ts';
import { collectedMemory } from './collected-memory.ts';
import { SteadyLoad, type TimedLoadResult } from './steady-load.ts';
import { UpstreamProcess } from './upstream-process.ts';

export interface AbusePlan {
  readonly seconds: number;
  /** Duration of abuse before the first measurement, in seconds. The warm-up compiles code and fills caches. */
  readonly warmUpSeconds: number;
  /** Number of memory measurements during the test, each taken while no malicious client is connected. Steady growth indicates a leak. */
  readonly samples: number;
  /** Directory for the heap snapshots taken at each measurement. If empty, snapshots are discarded. */
  readonly snapshots: string;
  /** The server's `grace_period`, in seconds. */
  readonly graceSeconds: number;
}

export interface AbuseSoak {
  /** Number of connections opened by malicious clients. */
  readonly opened: number;
  /** Load test result of a well-behaved client during the abuse. */
  readonly requests: TimedLoadResult;
  /** Memory after garbage collection, in MiB, after the warm-up and at the end. 0 if the server has no endpoint that collects garbage. */
  readonly memory: readonly [before: number, after: number];
  /** Memory after garbage collection, in MiB, sampled at equal intervals during the test. */
  readonly memoryOnTheWay: readonly number[];
  /** Resident memory in MiB, before and after the test. */
  readonly resident: readonly [before: number, after: number];
  /** Number of open file descriptors after the server starts and at the end of the test. */
  readonly descriptors: readonly [before: number, after: number];
  /** Seconds from SIGTERM to exit while malicious clients are connected. `null` if the server had to be killed. */
  readonly shutdownSeconds: number | null;
}

/** One measurement, taken while no malicious client is connected. */
interface Sample {
  readonly memory: number;
  readonly resident: number;
  readonly descriptors: number;
}

/** Timeout for the server to close file descriptors, in milliseconds. */
const releaseTimeout = 10_000;
const largeFile = 32 * 1024 * 1024;

export async function soakMixedAbuse(name: string, command: readonly string[], plan: AbusePlan): Promise<AbuseSoak> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-abuse-'));
  writeFileSync(join(folder, 'large'), '');
  truncateSync(join(folder, 'large'), largeFile);
  const upstream = await new UpstreamProcess().start();
  const server = await startNative(name, command, configOf(folder, upstream.port, plan.graceSeconds));
  try {
    const descriptors = descriptorsOf(server.pid);
    await abuse(server, plan.warmUpSeconds);
    const saveAs = (label: string) => plan.snapshots && join(plan.snapshots, `${name}-${label}`);
    const before = await measure(server, descriptors, saveAs('before'));
    const load = new SteadyLoad({ port: server.port, path: '/proxied/', connections: 10, rate: 50 });
    let opened = 0;
    const samples: Sample[] = [];
    for (let i = 0; i < plan.samples; i++) {
      load.start();
      opened += await abuse(server, plan.seconds / plan.samples);
      // Pauses the load because a heap snapshot blocks the server for a second or more.
      await load.pause();
      samples.push(await measure(server, descriptors, saveAs(`${i}`)));
      console.error(JSON.stringify(samples.at(-1)));
    }
    const requests = await load.stop();
    const after = await measure(server, descriptors, saveAs('after'), 4 * releaseTimeout);
    samples.push(after);
    const last = new Abusers(server.port);
    last.start();
    await sleep(2000);
    last.pause();
    const shutdownSeconds = await server.terminate(plan.graceSeconds * 1000 + 10_000);
    last.stop();
    return {
      opened,
      requests,
      memory: [before.memory, after.memory],
      memoryOnTheWay: samples.map(({ memory }) => memory),
      resident: [before.resident, after.resident],
      descriptors: [descriptors, after.descriptors],
      shutdownSeconds,
    };
  } finally {
    await server.stop();
    await upstream.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(root: string, upstream: number, graceSeconds: number): MakeConfig {
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${upstream}` }],
    transport: { protocol: 'http', keep_alive: { idle_timeout: '2s' } },
  };
  const routes = [
    { match: [{ path: ['/proxied/*'] }], handle: [proxy], terminal: true },
    { handle: [{ handler: 'file_server', root }] },
  ];
  return (port) => ({
    apps: {
      http: {
        grace_period: `${graceSeconds}s`,
        servers: {
          s: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            protocols: ['h1', 'h2c'],
            read_header_timeout: '5s',
            idle_timeout: '5s',
            routes,
          },
        },
      },
    },
  });
}

async function abuse(server: Running, seconds: number): Promise<number> {
  const abusers = new Abusers(server.port);
  abusers.start();
  await sleep(seconds * 1000);
  abusers.stop();
  return abusers.opened;
}

/** Waits up to `timeout` milliseconds until at most `wanted` file descriptors are open. Collects garbage afterward. */
async function measure(
  server: Running,
  wanted: number,
  saveAs: string,
  timeout: number = releaseTimeout,
): Promise<Sample> {
  await sleep(releaseTimeout / 2);
  for (const end = performance.now() + timeout - releaseTimeout / 2; performance.now() < end; await sleep(100))
    if (descriptorsOf(server.pid) <= wanted) break;
  const descriptors = descriptorsOf(server.pid);
  const memory = Math.round((await collectedMemory(server.admin, saveAs)) / 1024 / 1024);
  return { memory, resident: Math.round(server.memory()), descriptors };
}

/** Returns the number of open file descriptors of a process (Linux only). */
function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
