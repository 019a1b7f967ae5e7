/**
 * Mutation testing. Creates random mutants of packages, runs each package's own tests against them, and lists the surviving mutants.
 *   npm run mutation -- [--count 60] [--seed 1] [--floor 85] [--jobs 2] [package …]
 * Packages are directories such as `libs/base`. `--count` applies to each package. `--listed` tests the mutants in the list of equivalents.
 * Exits with 1 if a package's share of killed mutants, excluding known equivalents, is below its floor, or if the list of equivalents is
 * outdated.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Candidate } from './candidates.ts';
import { core, defaultFloor } from './core.ts';
import { readEquivalents } from './equivalents.ts';
import { shareOf, testPackage, type Counts } from './test-package.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    floor: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    listed: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '../../..');
const packages = positionals.length > 0 ? positionals : Object.keys(core);

/** Prints the results of a package or the total. Returns true if the share of killed mutants reaches the floor. */
function report(name: string, counts: Counts, floor: number): boolean {
  const { killed, loops, late, survived, equivalent } = counts;
  const share = shareOf(counts);
  console.log(
    `${name}: ${share.toFixed(1)} % killed (${killed} killed, ${loops} of them by endless loops, ` +
      `${survived} survived, ${late} without a verdict in time, ${equivalent} equivalent); the minimum is ${floor} %`,
  );
  return share >= floor;
}

function textOf(what: string, { file, number, line, mutated }: Candidate): string {
  return `${what} ${file}:${number}\n  - ${line}\n  + ${mutated}`;
}

const known = readEquivalents();
const total: Counts = { killed: 0, loops: 0, late: 0, survived: 0, equivalent: 0 };
let good = true;
for (const folder of packages) {
  const counts = await testPackage(folder, {
    root,
    count: Number(values.count),
    seed: Number(values.seed),
    jobs: Number(values.jobs),
    known,
    listed: values.listed,
    onSurvivor: (candidate, verdict) => {
      if (!values.listed) console.log(textOf(verdict, candidate));
    },
    onKill: (candidate) => {
      if (!values.listed) return;
      good = false;
      console.log(textOf('listed as equivalent, but killed:', candidate));
    },
    onStale: ({ file, line, mutated }) => {
      good = false;
      console.log(`listed as equivalent, but does not exist: ${file}\n  - ${line}\n  + ${mutated ?? '…'}`);
    },
  });
  for (const key of ['killed', 'loops', 'late', 'survived', 'equivalent'] as const) total[key] += counts[key];
  if (values.listed) console.log(`${folder}: ${counts.survived} are listed correctly, ${counts.killed} are not`);
  else good = report(folder, counts, Number(values.floor ?? core[folder] ?? defaultFloor)) && good;
}
if (packages.length > 1 && !values.listed) good = report('all', total, Number(values.floor ?? defaultFloor)) && good;
process.exitCode = good ? 0 : 1;
