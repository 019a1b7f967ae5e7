/**
 * All abusive clients at once, for as long as one wants, beside ordinary requests. Afterwards nothing of them may be left:
 * no memory, no descriptor, and nothing that holds the end of the process up.
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

/** Sizes. */
export interface AbusePlan {
  readonly seconds: number;
  /** Abuse before the first measurement: code is compiled, and caches are filled, once. */
  readonly warmUpSeconds: number;
  /** How often memory is measured on the way, with no abuser connected: what grows by each of them is a leak. */
  readonly samples: number;
  /** A folder in which to keep the heap snapshots of the measurements; '' to keep none. */
  readonly snapshots: string;
  /** `grace_period` of the server. */
  readonly graceSeconds: number;
}

/** What came of it. */
export interface AbuseSoak {
  /** Connections of abusers. */
  readonly opened: number;
  /** Requests of a well-behaved client, beside the abuse. */
  readonly requests: TimedLoadResult;
  /** MiB after a collection, after the warm-up and after all; 0 for a server that does not tell. */
  readonly memory: readonly [before: number, after: number];
  /** MiB after a collection on the way, at equal times. */
  readonly memoryOnTheWay: readonly number[];
  /** Resident MiB, before and after. */
  readonly resident: readonly [before: number, after: number];
  /** Open ones: of the server that has just started, and after all. */
  readonly descriptors: readonly [before: number, after: number];
  /** From SIGTERM to the end of the process, with abusers connected, in seconds; `null` if it had to be killed. */
  readonly shutdownSeconds: number | null;
}

/** A measurement with no abuser connected. */
interface Sample {
  /** MiB after a collection. */
  readonly memory: number;
  /** Resident MiB. */
  readonly resident: number;
  readonly descriptors: number;
}

/** How long descriptors may take to be released. */
const releasePatience = 10_000;
const largeFile = 32 * 1024 * 1024;

/** Runs it against a server. */
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
      // A heap snapshot stops the server for a second or more.
      await load.pause();
      samples.push(await measure(server, descriptors, saveAs(`${i}`)));
      console.error(JSON.stringify(samples.at(-1)));
    }
    const requests = await load.stop();
    const after = await measure(server, descriptors, saveAs('after'), 4 * releasePatience);
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

/** Waits until no more descriptors are open than `wanted`, for `patience` at most, and collects. */
async function measure(
  server: Running,
  wanted: number,
  saveAs: string,
  patience: number = releasePatience,
): Promise<Sample> {
  await sleep(releasePatience / 2);
  for (const end = performance.now() + patience - releasePatience / 2; performance.now() < end; await sleep(100))
    if (descriptorsOf(server.pid) <= wanted) break;
  const descriptors = descriptorsOf(server.pid);
  const memory = Math.round((await collectedMemory(server.admin, saveAs)) / 1024 / 1024);
  return { memory, resident: Math.round(server.memory()), descriptors };
}

/** Open descriptors of a process (Linux). */
function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
