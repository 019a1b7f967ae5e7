/**
 * Runs more simulations than the tests do. Prints the seeds whose simulations violate an invariant, and exits with 1 if there are any.
 *
 *     npm run simulate-fleet [seeds] [first]
 *     npm run simulate-fleet -- --rollouts [seeds] [first]
 */
import { parseArgs } from 'node:util';
import { problemsOf } from './check.ts';
import { playRollout } from './play-rollout.ts';
import { play } from './run.ts';

const { positionals, values } = parseArgs({
  options: { rollouts: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [seeds = 10_000, first = 0] = positionals.map(Number);

/** Simulates changes or a rollout. Returns the violated invariants. */
const simulate = values.rollouts ? playRollout : async (seed: number) => problemsOf(await play(seed));

let broken = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const problems = await simulate(seed);
  if (problems.length > 0) broken++;
  for (const problem of problems) process.stdout.write(`seed ${seed}: ${problem}\n`);
}
process.stdout.write(`${seeds} seeds, ${broken} with problems\n`);
if (broken > 0) process.exitCode = 1;
