/**
 * Measures the server, and whatever rivals are found (caddy, nginx), in one interleaved run: server on processor 0, load
 * on processor 1. Prints ratios; absolute measurements are of this machine and this minute.
 *
 *   npm run bench -- [--rounds 5] [--seconds 3] [--only TEXT]
 */
import { parseArgs } from 'node:util';
import { largeFiles, measureAdapting } from './adapting.ts';
import { measureChanges } from './changes.ts';
import { plain, withRoutes } from './configs.ts';
import { haveWrk } from './load.ts';
import { measureLogs } from './logs.ts';
import { median } from './machine.ts';
import { startProxied } from './proxied.ts';
import { makeFiles, measure, ratios, scenarios } from './scenarios.ts';
import { nativeServers, startNative } from './servers.ts';
import { measureManyNames, measureUnknownNames } from './tls/names.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

if (!haveWrk) {
  console.log('benchmarks are skipped: there is no wrk here');
  process.exit(0);
}
const wanted = (name: string): boolean => name.includes(values.only);
const files = makeFiles();
const proxied = await startProxied(files.folder);
try {
  const all = [...scenarios(files.folder), ...(proxied?.scenarios ?? [])];
  for (const scenario of all.filter(({ name }) => wanted(name))) {
    const missing = scenario.way?.missing ?? null;
    if (missing !== null) {
      console.log(`${scenario.name}: skipped, there is no ${missing} here`);
      continue;
    }
    const result = await measure(scenario, rounds, seconds);
    const parts = [...result.measurements].map(
      ([name, measurements]) =>
        `${name} ${Math.round(median(measurements))}/s (${median(result.costs.get(name) ?? []).toFixed(1)} us of processor each)`,
    );
    for (const rival of result.measurements.keys()) {
      const ratio = rival === 'sluice' ? null : ratios(result, rival);
      if (ratio !== null)
        parts.push(`ratio to ${rival} ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`);
    }
    console.log(`${result.name}: ${parts.join(', ')}`);
  }
  if (wanted('access log')) {
    for (const { server, silent, logged, left } of await measureLogs(rounds, seconds)) {
      console.log(
        `access log to a file: ${server} ${Math.round(median(logged))}/s, without ${Math.round(median(silent))}/s, ${percent(median(left))} are left (${percent(Math.min(...left))} to ${percent(Math.max(...left))})`,
      );
    }
  }
  for (const routes of [10, 1000, 10_000]) {
    if (!wanted('changes')) continue;
    const results = await measureChanges(routes, 2 * seconds);
    for (const result of results) {
      console.log(
        `changes among ${routes} routes: ${result.server} ${result.changesPerSecond.toFixed(1)}/s, median ${result.median.toFixed(2)} ms, p99 ${result.p99.toFixed(2)} ms; requests meanwhile p99 ${result.requestP99.toFixed(2)} ms, ${result.requestErrors} errors`,
      );
    }
    const [ours, theirs] = results;
    if (ours !== undefined && theirs !== undefined)
      console.log(
        `changes among ${routes} routes: ratio to ${theirs.server} ${(ours.changesPerSecond / theirs.changesPerSecond).toFixed(1)}`,
      );
  }
  if (wanted('names')) {
    const ms = (time: number): string => `${time.toFixed(time < 100 ? 1 : 0)} ms`;
    for (const { name, command } of nativeServers()) {
      const { serving, coldMedian, coldP99 } = await measureManyNames(name, command, 5000);
      console.log(
        `5,000 managed names in storage: ${name} serves the last after ${ms(serving)}, first handshakes median ${ms(coldMedian)}, p99 ${ms(coldP99)}`,
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
        `${unknownPerSecond.toFixed(0)} handshakes/s for unknown names: ${name} asked ${asked} times, has ${certificates} certificate; known name median ${ms(alone.median)} before, ${ms(meanwhile.median)} meanwhile, p99 ${ms(alone.p99)} and ${ms(meanwhile.p99)}, ${failed} failed`,
      );
    }
  }
  for (const file of largeFiles(10_000)) {
    if (!wanted(`adapt ${file.name}`)) continue;
    const times = measureAdapting(file, rounds);
    const parts = [...times].map(([name, seconds]) => `${name} ${median(seconds).toFixed(2)} s of processor`);
    const [ours = Number.NaN, theirs] = [...times.values()].map(median);
    if (theirs !== undefined) parts.push(`ratio ${(ours / theirs).toFixed(2)}`);
    console.log(`adapt 10,000 ${file.name}: ${parts.join(', ')}`);
  }
  if (wanted('start')) {
    for (const { name, command } of nativeServers()) {
      const times: number[] = [];
      let memory = 0;
      for (let i = 0; i < rounds; i++) {
        const server = await startNative(name, command, withRoutes(plain));
        times.push(server.startMs);
        memory = server.memory();
        await server.stop();
      }
      console.log(`start: ${name} responds after ${median(times).toFixed(0)} ms, holds ${memory.toFixed(0)} MiB`);
    }
  }
} finally {
  await proxied?.stop();
  files.remove();
}
process.exit(0);

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
