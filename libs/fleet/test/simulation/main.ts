/** `npm run simulate-fleet [seeds] [first]`: more simulations than the tests play. Exits with 1 and the seeds whose runs break a promise. */
import { problemsOf } from './check.ts';
import { play } from './run.ts';

const [seeds = 10_000, first = 0] = process.argv.slice(2).map(Number);
let entries = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const run = await play(seed);
  entries += run.log.length;
  for (const problem of problemsOf(run)) {
    process.exitCode = 1;
    process.stdout.write(`seed ${seed}: ${problem}\n`);
  }
}
process.stdout.write(`${seeds} seeds, ${entries} entries\n`);
