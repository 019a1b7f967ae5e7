/**
 * Measures the startup time of a server whose storage contains certificates for many names. Startup ends when the server presents the last
 * certificate.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { proportionalMemory } from '../processes.ts';
import { startNative } from '../servers.ts';
import { median } from '../statistics.ts';
import { managingNames, served } from '../tls/names.ts';
import type { Participant } from './participants.ts';
import { idleTime, type Start } from './start.ts';

/** Starts each server with a given number of names whose certificates already exist. Returns the median startup times. */
export async function measureNames(
  participants: readonly Participant[],
  count: number,
  rounds: number,
): Promise<(Start & { readonly name: string })[]> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-footprint-'));
  const names = Array.from({ length: count }, (_, i) => `n${i}.example.test`);
  const start = async ({ name, command, threads }: Participant, list: readonly string[]): Promise<Start> => {
    const storage = join(root, threads ? 'ours' : 'other');
    const began = performance.now();
    const server = await startNative(name, command, managingNames(storage, names), threads ? ['--workers', '1'] : []);
    try {
      await served(server, list);
      const seconds = (performance.now() - began) / 1000;
      const processor = server.processorTime() / 1e6;
      await sleep(idleTime);
      return { seconds, processor, memory: proportionalMemory(server.pid) };
    } finally {
      await server.stop();
    }
  };
  const results = new Map<string, Start[]>(participants.map(({ name }) => [name, []]));
  try {
    for (const each of [participants.find(({ threads }) => threads), participants.find(({ threads }) => !threads)])
      if (each !== undefined) await start(each, names);
    for (let round = 0; round < rounds; round++)
      for (const each of participants) results.get(each.name)?.push(await start(each, names.slice(-1)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return [...results].map(([name, list]) => ({
    name,
    seconds: median(list.map((each) => each.seconds)),
    processor: median(list.map((each) => each.processor)),
    memory: median(list.map((each) => each.memory)),
  }));
}
