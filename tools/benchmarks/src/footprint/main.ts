/**
 * Measures the footprint of a server: time to first response, idle memory, and memory under many changes. Sluice runs from the bundle (`npm
 * run package` first). Servers take turns, each on one CPU. They use a Node.js binary that no other process runs, so that PSS includes all
 * of its memory.
 *   npm run footprint -- [start] [routes] [names] [changes] [--rounds 3] [--changes 40000]
 *   npm run footprint -- changes --flags='--memory-saver-mode'    also measures Sluice with these Node.js options
 *   npm run footprint -- routes --beside FOLDER                   also measures another bundle
 */
import { parseArgs } from 'node:util';
import { keepOnProcessor } from '../machine.ts';
import { median } from '../statistics.ts';
import { measureManyChanges } from './many-changes.ts';
import { measureNames } from './many-names.ts';
import { participants } from './participants.ts';
import { measureStart, type Start } from './start.ts';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    changes: { type: 'string', default: '40000' },
    workers: { type: 'string', default: '1,2' },
    beside: { type: 'string', multiple: true, default: [] },
    flags: { type: 'string', multiple: true, default: [] },
    own: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const workers = values.workers.split(',').map(Number);
const { all, remove } = participants(values);
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

keepOnProcessor(1);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', remove);

if (wanted('start')) await starts(1);
if (wanted('routes')) await starts(10_000);
if (wanted('names')) await names(5000);
if (wanted('changes')) await changes(Number(values.changes));
process.exit(0);

async function starts(routes: number): Promise<void> {
  const results = new Map<string, Start[]>();
  for (let round = 0; round < rounds; round++) {
    for (const count of workers) {
      for (const participant of all) {
        if (count !== workers[0] && !participant.threads) continue;
        const name = participant.threads ? `${participant.name}, workers: ${count}` : participant.name;
        const started = await measureStart(participant, { routes, workers: count });
        results.set(name, [...(results.get(name) ?? []), started]);
      }
    }
  }
  for (const [name, list] of results) {
    const [seconds, processor, memory] = (['seconds', 'processor', 'memory'] as const).map((what) =>
      median(list.map((each) => each[what])),
    ) as [number, number, number];
    console.log(
      `${routes} routes, ${name}: first response after ${seconds.toFixed(2)} s, ${processor.toFixed(2)} s of CPU time, then ${memory.toFixed(0)} MB`,
    );
  }
}

async function names(count: number): Promise<void> {
  for (const { name, seconds, processor, memory } of await measureNames(all, count, rounds))
    console.log(
      `${count} managed names, ${name}: serves the last one after ${seconds.toFixed(2)} s, ${processor.toFixed(2)} s of CPU time, then ${memory.toFixed(0)} MB`,
    );
}

async function changes(count: number): Promise<void> {
  for (const participant of all) {
    const result = await measureManyChanges(participant, {
      count,
      routes: 1000,
      writers: 4,
      workers: workers.at(-1) ?? 1,
    });
    const { before, samples, most: max, processor, perSecond } = result;
    console.log(
      `${count} changes among 1000 routes, ${participant.name}: ${before.toFixed(0)} MB to ${samples.map((each) => each.toFixed(0)).join(' ')}, at most ${(max / before).toFixed(2)} times; ${processor.toFixed(0)} µs of CPU time each, ${perSecond.toFixed(0)}/s`,
    );
  }
}
