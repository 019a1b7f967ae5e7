/**
 * Trials of fleets with real servers and real stores, which fail meanwhile. Prints what was seen, and exits with 1 if a promise did not hold.
 *
 *   npm run fleet-trials -- faults [--store etcd|postgres|redis] [--changes 1000] [--writers 16] [--runs 1] [--seed 7]
 */
import { parseArgs } from 'node:util';
import { ownServer } from '../servers.ts';
import { engines, type StoreEngine } from './engines/index.ts';
import { fullFaultPlan, tryFaults } from './fault-trial.ts';
import { Random } from './random.ts';

const { values, positionals } = parseArgs({
  options: {
    store: { type: 'string', default: '' },
    changes: { type: 'string', default: '' },
    writers: { type: 'string', default: '' },
    runs: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
  allowPositionals: true,
});

const { command } = ownServer();
/** Runs a trial on each store that is wanted and found. */
async function onStores(trial: (engine: StoreEngine, seed: number) => Promise<boolean>): Promise<void> {
  const first = Number(values.seed);
  for (const [name, start] of Object.entries(engines).filter(([store]) => store.includes(values.store))) {
    for (let seed = first; seed < first + Number(values.runs); seed++) {
      const engine = await start({ random: new Random(seed) });
      if (engine === null) {
        console.log(`${name}: skipped, as this machine has none`);
        break;
      }
      try {
        if (!(await trial(engine, seed))) process.exitCode = 1;
      } finally {
        await engine.stop();
      }
    }
  }
}

/** Numbers that were given in place of those of the full plan. */
function given(names: readonly ('changes' | 'writers')[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.flatMap((name) => (values[name] === '' ? [] : [[name, Number(values[name])]])));
}

const trials: Readonly<Record<string, () => Promise<void>>> = {
  faults: () =>
    onStores(async (engine, seed) => {
      const report = await tryFaults(engine, command, { ...fullFaultPlan, ...given(['changes', 'writers']), seed });
      console.log(`faults, ${engine.name}, seed ${seed}:`, JSON.stringify(report, null, 1));
      return report.problems.length === 0 && report.porcupine !== 'refused' && report.porcupine !== 'undecided';
    }),
};

for (const name of positionals.length === 0 ? Object.keys(trials) : positionals) {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`there is no trial ${name}; there are ${Object.keys(trials).join(', ')}`);
  await trial();
}
process.exit();
