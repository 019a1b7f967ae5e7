/**
 * Mutation testing: makes random mutants of packages, runs the tests of their own package against each, and lists those
 * that survive. `npm run mutation -- [--count 400] [--seed 1] [--floor 85] [--jobs 1] [package …]`; packages are folders such
 * as `libs/base`. Exits with 1 where less than the floor is killed, of those that are not known to be equivalent.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { equivalentOf, readEquivalents } from './equivalents.ts';
import { applyMutation, mutationsOf, type Mutation } from './mutate.ts';
import { randomOf, sample } from './random.ts';
import { runMutant } from './run-mutant.ts';

/** The packages that everything stands on. */
const core = [
  'libs/base',
  'libs/registry',
  'libs/contracts',
  'libs/engine',
  'libs/threads',
  'libs/telemetry',
  'libs/http1',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    floor: { type: 'string', default: '85' },
    jobs: { type: 'string', default: '1' },
  },
});
const root = resolve(import.meta.dirname, '../../..');
const packages = positionals.length > 0 ? positionals : core;

interface Candidate {
  readonly package: string;
  readonly file: string;
  readonly mutation: Mutation;
}

interface Counts {
  killed: number;
  survived: number;
  equivalent: number;
}

/** How many of the mutants that can be killed are, in percent. */
function shareOf({ killed, survived }: Counts): number {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}

function summaryOf(name: string, counts: Counts): string {
  const { killed, survived, equivalent } = counts;
  return `${name}: ${shareOf(counts).toFixed(1)} % killed (${killed} killed, ${survived} survived, ${equivalent} equivalent)`;
}

/** The line that a mutation is on, before and after. */
function lineOf({ file, mutation }: Candidate): { number: number; line: string; mutated: string } {
  const source = readFileSync(join(root, file), 'utf8');
  const before = source.slice(0, mutation.start);
  const number = before.split('\n').length;
  const from = before.lastIndexOf('\n') + 1;
  const to = source.indexOf('\n', mutation.end);
  const after = applyMutation(source, mutation);
  return {
    number,
    line: source.slice(from, to).trim(),
    mutated: after.slice(from, to + after.length - source.length).trim(),
  };
}

const candidates = packages.flatMap((folder): Candidate[] =>
  globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .sort()
    .flatMap((file) =>
      mutationsOf(file, readFileSync(join(root, file), 'utf8')).map((mutation) => ({
        package: folder,
        file,
        mutation,
      })),
    ),
);
const chosen = sample(randomOf(Number(values.seed)), candidates, Number(values.count));

// How long the tests of a package take without a mutant: one that takes ten times as long hangs.
const limits = new Map<string, number>();
for (const folder of new Set(chosen.map((each) => each.package))) {
  const begun = performance.now();
  if ((await runMutant(root, `${folder}/test/**/*.test.ts`, null, 300_000)) !== 'survived') {
    console.error(`${folder}: its tests fail without any mutation`);
    process.exit(2);
  }
  limits.set(folder, 5000 + 10 * (performance.now() - begun));
}

const known = readEquivalents();
const counts = new Map<string, Counts>();
const queue = [...chosen];
for (const { package: folder } of chosen) counts.set(folder, { killed: 0, survived: 0, equivalent: 0 });
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const at = lineOf(next);
    const ofPackage = counts.get(next.package) as Counts;
    if (equivalentOf(known, { file: next.file, kind: next.mutation.kind, ...at }) !== undefined) {
      ofPackage.equivalent++;
      continue;
    }
    const mutant = { ...next.mutation, file: join(root, next.file) };
    const verdict = await runMutant(
      root,
      `${next.package}/test/**/*.test.ts`,
      mutant,
      limits.get(next.package) ?? 60_000,
    );
    ofPackage[verdict]++;
    if (verdict === 'survived') console.log(`survived ${next.file}:${at.number}\n  - ${at.line}\n  + ${at.mutated}`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const total = { killed: 0, survived: 0, equivalent: 0 };
for (const [folder, each] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(summaryOf(folder, each));
  for (const key of ['killed', 'survived', 'equivalent'] as const) total[key] += each[key];
}
console.log(
  `${summaryOf('all', total)}; the floor is ${values.floor} %, the sample ${chosen.length} of ${candidates.length}`,
);
process.exitCode = shareOf(total) < Number(values.floor) ? 1 : 0;
