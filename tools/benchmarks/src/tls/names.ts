/**
 * Benchmarks a server with many host names: startup time until all certificates are served, duration of a name's first handshake, and the
 * impact of handshakes for unknown names on other handshakes.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '../configs.ts';
import { median, percentile } from '../statistics.ts';
import { startNative, type Running } from '../servers.ts';
import { overTls, secureHost } from './config.ts';
import { HandshakeClient, handshakePlan, type HandshakePlan } from './handshake-client.ts';

/** Benchmark results for many managed names. Times are in milliseconds. */
export interface ManyNames {
  /** Time from process start until the server serves the certificate of the last name. The certificates are already in storage. */
  readonly serving: number;
  /** Median duration of the first handshake of each name, performed one after another. */
  readonly coldMedian: number;
  readonly coldP99: number;
}

/** Benchmark results for handshakes with names that are not permitted to obtain a certificate. */
export interface UnknownNames {
  readonly unknownPerSecond: number;
  /** Number of permission checks. The server may hold only the certificate of the known name at the end. */
  readonly asked: number;
  readonly certificates: number;
  /** Duration of handshakes for a known name, in milliseconds: without other load, and during handshakes for unknown names. */
  readonly alone: { readonly median: number; readonly p99: number };
  readonly meanwhile: { readonly median: number; readonly p99: number };
  /** Number of failed handshakes for the known name. */
  readonly failed: number;
}

/** Measures a restart of a server that has already obtained `count` certificates. */
export async function measureManyNames(name: string, command: readonly string[], count: number): Promise<ManyNames> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-bench-names-'));
  const names = Array.from({ length: count }, (_, i) => `n${i}.example.test`);
  const config = managingNames(root, names);
  try {
    const first = await startNative(name, command, config);
    await served(first, names);
    await first.stop();
    const began = performance.now();
    const second = await startNative(name, command, config);
    try {
      await served(second, [names.at(-1) ?? secureHost]);
      const serving = performance.now() - began;
      const times: number[] = [];
      for (const each of names) {
        const { responded, time } = await shakeHands(handshakePlan(second.port, each, '/'));
        if (!responded) throw new Error(`no certificate for ${each}`);
        times.push(time);
      }
      return { serving, coldMedian: median(times), coldP99: percentile(times, 0.99) };
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Measures handshakes for unknown names. The permission module denies certificates for these names. */
export async function measureUnknownNames(
  name: string,
  command: readonly string[],
  unknownPerSecond: number,
  seconds: number,
): Promise<UnknownNames> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-bench-names-'));
  let asked = 0;
  const permission = createServer((_request, response) => {
    asked++;
    response.writeHead(403).end();
  }).listen(0, '127.0.0.1');
  await sleep(10);
  const endpoint = `http://127.0.0.1:${(permission.address() as AddressInfo).port}/`;
  const automation = {
    on_demand: { permission: { module: 'http', endpoint } },
    policies: [
      { subjects: [secureHost], issuers: [{ module: 'internal' }] },
      { on_demand: true, issuers: [{ module: 'internal' }] },
    ],
  };
  const server = await startNative(name, command, (port) => managing(port, root, { automation }));
  try {
    await served(server, [secureHost]);
    const known = handshakePlan(server.port, secureHost, '/');
    let count = 0;
    const unknown = (): HandshakePlan => handshakePlan(server.port, `u${count++}.example.test`, '/');
    const warm = await atRate(100, 1, () => known);
    const alone = await atRate(100, seconds, () => known);
    await atRate(unknownPerSecond, 1, unknown);
    asked = 0;
    const [meanwhile, refused] = await Promise.all([
      atRate(100, seconds, () => known),
      atRate(unknownPerSecond, seconds, unknown),
    ]);
    if (refused.responded > 0) throw new Error('an unknown name was served');
    return {
      unknownPerSecond: refused.times.length / seconds,
      asked,
      certificates: readdirSync(join(root, 'certificates', 'local')).length,
      alone: measurements(alone.times),
      meanwhile: measurements(meanwhile.times),
      failed: [warm, alone, meanwhile].reduce((sum, { times, responded }) => sum + times.length - responded, 0),
    };
  } finally {
    await server.stop();
    permission.closeAllConnections();
    permission.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Returns a server configuration that manages certificates for the names. The internal CA issues the certificates, which are kept in a
 * separate storage directory.
 */
export function managingNames(root: string, names: readonly string[]): (port: number) => object {
  const automation = { policies: [{ issuers: [{ module: 'internal' }] }] };
  return (port) => managing(port, root, { certificates: { automate: names }, automation });
}

function managing(port: number, root: string, tls: object): object {
  const config = overTls(plain)(port) as { apps: { tls: object } };
  Object.assign(config.apps.tls, tls);
  return { ...config, storage: { module: 'file_system', root } };
}

/** Resolves when the server has completed one handshake for each name. */
export async function served({ port }: Running, names: readonly string[]): Promise<void> {
  const end = performance.now() + 60_000;
  for (const each of names) {
    const plan = handshakePlan(port, each, '/');
    while (!(await shakeHands(plan)).responded) {
      if (performance.now() > end) throw new Error(`no certificate for ${each}`);
      await sleep(5);
    }
  }
}

interface Outcome {
  readonly responded: boolean;
  /** Time from opening to closing the connection, in milliseconds. */
  readonly time: number;
}

function shakeHands(plan: HandshakePlan): Promise<Outcome> {
  const began = performance.now();
  return new Promise((resolve) => {
    new HandshakeClient(plan, (responded) => resolve({ responded, time: performance.now() - began })).start();
  });
}

/** Starts handshakes at a fixed rate without waiting for earlier handshakes. */
async function atRate(
  perSecond: number,
  seconds: number,
  plan: () => HandshakePlan,
): Promise<{ times: number[]; responded: number }> {
  const running: Promise<Outcome>[] = [];
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) * perSecond) / 1000;
    while (running.length < due) running.push(shakeHands(plan()));
    await sleep(2);
  }
  const outcomes = await Promise.all(running);
  return { times: outcomes.map(({ time }) => time), responded: outcomes.filter(({ responded }) => responded).length };
}

function measurements(times: readonly number[]): { median: number; p99: number } {
  return { median: median(times), p99: percentile(times, 0.99) };
}
