/**
 * Runs generated cases on Caddy and Sluice: configurations with requests, sequences of admin API requests, and Caddyfiles with changed
 * lines.
 *   npm run trial -- [--count 10000] [--seed 1] [--kind requests|admin|caddyfile] [--only SEED]
 * Each kind makes up a third of the cases. `--only` runs one seed of a kind. Exits with 1 if there is a difference that is not in
 * `known-differences.ts`.
 */
import { parseArgs } from 'node:util';
import { reference } from '../servers/commands.ts';
import { runTrial } from './run.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    only: { type: 'string' },
  },
});

if (reference() === null) console.log('trial skipped: caddy is not installed');
else {
  const { kind, only } = values;
  const found = await runTrial({
    count: Number(values.count),
    seed: Number(values.seed),
    ...(kind === undefined ? {} : { kind }),
    ...(only === undefined ? {} : { only: Number(only) }),
    log: (line) => console.log(line),
  });
  process.exitCode = found.length === 0 ? 0 : 1;
}
