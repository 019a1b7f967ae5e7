/**
 * Benchmarks Sluice, and Caddy and nginx if installed, in one interleaved run. The server runs on CPU 0, and the load generator on CPU 1.
 * Prints ratios, because absolute numbers are valid only for this machine at this time.
 *   npm run bench -- [--rounds 5] [--seconds 3] [--only TEXT]
 *   npm run bench -- --table               measures all tables in docs/benchmarks.md and adds the run to the history
 *   npm run bench -- --against COMMIT [--pairs 8] [--only TEXT]
 */
import { parseArgs } from 'node:util';
import { checkOut } from './against/checkout.ts';
import { compareWith, described } from './against/compare.ts';
import { allContestants, wayOf, withoutOptions, type Contestant } from './contestants.ts';
import { makeFiles } from './files.ts';
import { saveRun } from './history/run.ts';
import { haveWrk } from './load.ts';
import { keepOnProcessor } from './machine.ts';
import { describedResult } from './describe.ts';
import { measure } from './measure.ts';
import { measureOthers } from './others.ts';
import { startProxied } from './proxied.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { nativeServers } from './servers.ts';
import { measureTable } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string', default: '' },
    table: { type: 'boolean', default: false },
    against: { type: 'string' },
    pairs: { type: 'string', default: '8' },
  },
});
const wanted = (name: string): boolean => name.includes(values.only);

if (!haveWrk) {
  console.log('benchmarks skipped: wrk is not installed');
  process.exit(0);
}
// Pin this process to CPU 1 if possible, to reserve CPU 0 for the measured server.
keepOnProcessor(1);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const files = makeFiles();
const proxied = await startProxied(files.folder);
const all = [...scenarios(files.folder), ...(proxied?.scenarios ?? [])];
try {
  if (values.against !== undefined) await against(values.against);
  else if (values.table) await table();
  else {
    const [rounds, seconds] = [Number(values.rounds ?? 5), Number(values.seconds ?? 3)];
    await print(rounds, seconds);
    await measureOthers(wanted, rounds, seconds);
  }
} finally {
  await proxied?.stop();
  files.remove();
}
process.exit(0);

/** Compares this workspace with another commit. Uses the scenarios selected by name, or all scenarios of the table. */
async function against(commit: string): Promise<void> {
  const checkout = checkOut(commit);
  try {
    for (const scenario of all.filter(({ name, inTable }) => wanted(name) && (values.only !== '' || inTable === true)))
      if (wayOf(scenario).missing === null)
        console.log(
          described(await compareWith(checkout.root, scenario, Number(values.pairs), Number(values.seconds ?? 1))),
        );
  } finally {
    checkout.remove();
  }
}

async function table(): Promise<void> {
  const [rounds, seconds] = [Number(values.rounds ?? 6), Number(values.seconds ?? 1)];
  const pace = { rounds, seconds, warmUp: 2, latencyRounds: 5 };
  const run = await measureTable(all, pace, (line) => console.log(line));
  console.log(`saved as ${saveRun(run)}: run npm run docs to generate the tables`);
}

async function print(rounds: number, seconds: number): Promise<void> {
  for (const scenario of all.filter(({ name }) => wanted(name))) {
    const { missing } = wayOf(scenario);
    if (missing !== null) {
      console.log(`${scenario.name}: skipped, because ${missing} is not installed`);
      continue;
    }
    const pace = { rounds, seconds, warmUp: 2, latencyRounds: 0 };
    console.log(describedResult(scenario.name, await measure(scenario, contestantsOf(scenario), pace)));
  }
}

function contestantsOf(scenario: Scenario): Contestant[] {
  const [ours] = nativeServers();
  const further = scenario.http !== undefined && ours !== undefined ? [withoutOptions(ours)] : [];
  return [...allContestants(), ...further];
}
