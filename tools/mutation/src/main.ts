/**
 * Mutation testing: makes random mutants of packages, runs the tests of their own package against each, and lists those
 * that survive. `npm run mutation -- [--count 400] [--seed 1] [--floor 85] [--jobs 2] [package …]`; packages are folders such
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
const core = ['libs/base', 'libs/registry', 'libs/engine', 'libs/threads', 'libs/telemetry', 'libs/http1'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    floor: { type: 'string', default: '85' },
    jobs: { type: 'string', default: '2' },
  },
});
const root = resolve(import.meta.dirname, '../../..');
const packages = positionals.length > 0 ? positionals : core;

interface Candidate {
  readonly package: string;
  readonly file: string;
  readonly mutation: Mutation;
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
const counts = { killed: 0, survived: 0, equivalent: 0 };
const queue = [...chosen];
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const at = lineOf(next);
    const equivalent = equivalentOf(known, { file: next.file, ...at });
    if (equivalent !== undefined) {
      counts.equivalent++;
      continue;
    }
    const mutant = { ...next.mutation, file: join(root, next.file) };
    const verdict = await runMutant(
      root,
      `${next.package}/test/**/*.test.ts`,
      mutant,
      limits.get(next.package) ?? 60_000,
    );
    counts[verdict]++;
    if (verdict === 'survived') console.log(`survived ${next.file}:${at.number}\n  - ${at.line}\n  + ${at.mutated}`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const share = (100 * counts.killed) / Math.max(1, counts.killed + counts.survived);
console.log(
  `${chosen.length} mutants of ${candidates.length}: ${counts.killed} killed, ${counts.survived} survived, ${counts.equivalent} known to be equivalent; ${share.toFixed(1)} % killed`,
);
process.exitCode = share < Number(values.floor) ? 1 : 0;
