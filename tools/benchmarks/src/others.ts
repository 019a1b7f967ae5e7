/** Benchmarks that are not scenarios: access logs, changes, names, and startup. */
import { largeFiles, measureAdapting, type LargeFile } from './adapting.ts';
import { measureChanges } from './changes.ts';
import { plain, withRoutes } from './configs.ts';
import { measureIdleHttp3 } from './http3/idle.ts';
import { overHttp3 } from './http3/ways.ts';
import { measureLogs } from './logs.ts';
import { nativeServers, startNative } from './servers.ts';
import { median } from './statistics.ts';
import { measureManyNames, measureUnknownNames } from './tls/names.ts';

export async function measureOthers(wanted: (name: string) => boolean, rounds: number, seconds: number): Promise<void> {
  if (wanted('access log')) await logs(rounds, seconds);
  if (wanted('changes')) for (const routes of [10, 1000, 10_000]) await changes(routes, rounds, seconds);
  if (wanted('names')) await names(seconds);
  for (const file of largeFiles(10_000)) if (wanted(`adapt ${file.name}`)) adapt(file, rounds);
  if (wanted('start')) await start(rounds);
  if (wanted('HTTP/3, memory') && overHttp3.missing === null) await idleHttp3();
}

async function logs(rounds: number, seconds: number): Promise<void> {
  for (const { server, silent, logged, left } of await measureLogs(rounds, seconds)) {
    console.log(
      `access log to a file: ${server} ${Math.round(median(logged))}/s, without ${Math.round(median(silent))}/s, ${percent(median(left))} remain (${percent(Math.min(...left))} to ${percent(Math.max(...left))})`,
    );
  }
}

async function changes(routes: number, rounds: number, seconds: number): Promise<void> {
  for (const { loaded, servers } of await measureChanges(routes, rounds, seconds)) {
    const what = `changes among ${routes} routes${loaded ? ' while requests run' : ''}`;
    for (const [name, { rates, medians, p99s, requestP99s, quietP99s, failed }] of servers) {
      const noticed = loaded
        ? `; p99 of requests ${median(quietP99s).toFixed(2)} ms before, ${median(requestP99s).toFixed(2)} ms during changes, ${failed.reduce((sum, each) => sum + each, 0)} failed`
        : '';
      console.log(
        `${what}: ${name} ${median(rates).toFixed(1)}/s, median ${median(medians).toFixed(2)} ms, p99 ${median(p99s).toFixed(2)} ms${noticed}`,
      );
    }
    const [ours, theirs] = [...servers.values()];
    if (ours !== undefined && theirs !== undefined)
      console.log(`${what}: ratio ${median(ours.rates.map((rate, i) => rate / (theirs.rates[i] ?? 0))).toFixed(2)}`);
  }
}

async function names(seconds: number): Promise<void> {
  const ms = (time: number): string => `${time.toFixed(time < 100 ? 1 : 0)} ms`;
  for (const { name, command } of nativeServers()) {
    const { serving, coldMedian, coldP99 } = await measureManyNames(name, command, 5000);
    console.log(
      `5,000 managed names in storage: ${name} serves the last one after ${ms(serving)}, first handshakes p50 ${ms(coldMedian)}, p99 ${ms(coldP99)}`,
    );
  }
  for (const { name, command } of nativeServers()) {
    const { unknownPerSecond, asked, certificates, alone, meanwhile, failed } = await measureUnknownNames(
      name,
      command,
      1000,
      2 * seconds,
    );
    console.log(
      `${unknownPerSecond.toFixed(0)} handshakes/s for unknown names: ${name} asked ${asked} times, has ${certificates} certificate; known name p50 ${ms(alone.median)} before, ${ms(meanwhile.median)} during the load, p99 ${ms(alone.p99)} and ${ms(meanwhile.p99)}, ${failed} failed`,
    );
  }
}

function adapt(file: LargeFile, rounds: number): void {
  const times = measureAdapting(file, rounds);
  const parts = [...times].map(([name, seconds]) => `${name} ${median(seconds).toFixed(2)} s of CPU time`);
  const [ours = Number.NaN, theirs] = [...times.values()].map(median);
  if (theirs !== undefined) parts.push(`ratio ${(ours / theirs).toFixed(2)}`);
  console.log(`adapt 10,000 ${file.name}: ${parts.join(', ')}`);
}

async function start(rounds: number): Promise<void> {
  for (const { name, command } of nativeServers()) {
    const times: number[] = [];
    let memory = 0;
    for (let i = 0; i < rounds; i++) {
      const server = await startNative(name, command, withRoutes(plain));
      times.push(server.startMs);
      memory = server.memory();
      await server.stop();
    }
    console.log(`start: ${name} responds after ${median(times).toFixed(0)} ms, uses ${memory.toFixed(0)} MiB`);
  }
}

async function idleHttp3(): Promise<void> {
  const parts = [...(await measureIdleHttp3(1500))].map(([name, size]) => `${name} ${size.toFixed(0)} KiB`);
  console.log(`HTTP/3, memory of an idle connection: ${parts.join(', ')}`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
