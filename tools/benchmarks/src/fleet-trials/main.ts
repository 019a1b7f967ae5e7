/**
 * Runs trials of fleets, with real servers and real stores that fail during the trial. Prints the observations. Exits with 1 if a guarantee
 * was violated.
 *   npm run fleet-trials -- arrays [--rounds 1000 --writers 64]
 *   npm run fleet-trials -- away [--seconds 600]
 *   npm run fleet-trials -- canary [--canaries 10 --fleets 5 --rate 10 --hold 30]
 *   npm run fleet-trials -- certificates [--stops 100 --names 20]
 *   npm run fleet-trials -- failovers [--failovers 100]
 *   npm run fleet-trials -- faults [--changes 1000 --writers 16 --tunnels 1000 --streams 100]
 *   npm run fleet-trials -- secrets [--routes 3000 --changes 300]
 *   npm run fleet-trials -- speed [--routes 10000 --changes 300]
 * All trials accept `--store etcd|postgres|redis` (certificates also `file_system` and `s3`), `--seed 7` and `--runs 1`. `--runs` is the
 * number of runs. Each run uses the next seed.
 */
import { parseArgs } from 'node:util';
import { ownServer } from '../servers.ts';
import { fullArrayPlan, tryArrays } from './array-trial.ts';
import { fullAwayPlan, tryAway } from './away-trial.ts';
import { fullCanaryPlan, tryCanaries } from './canary-trial.ts';
import { fullCertificatePlan, tryCertificates } from './certificate-trial.ts';
import { certificateStores } from './certificates/stores.ts';
import { engines, type StoreEngine } from './engines/index.ts';
import { fullFailoverPlan, tryFailovers } from './failover-trial.ts';
import { fullFaultPlan, tryFaults } from './fault-trial.ts';
import { Random } from './random.ts';
import { fullSecretPlan, trySecrets } from './secret-trial.ts';
import { fullSpeedPlan, trySpeed } from './speed-trial.ts';

const about = ['canaries', 'changes', 'failovers', 'fleets', 'hold', 'names', 'rate', 'rounds'] as const;
const sizes = [...about, 'routes', 'seconds', 'stops', 'streams', 'tunnels', 'writers'] as const;
const text = { type: 'string', default: '' } as const;
const { values, positionals } = parseArgs({
  options: {
    store: text,
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runs: { type: 'string', default: '1' },
    ...(Object.fromEntries(sizes.map((name) => [name, text])) as Record<(typeof sizes)[number], typeof text>),
  },
  allowPositionals: true,
});

const { command } = ownServer();

/** Returns a trial plan with the parameters from the command line. */
function sized<T extends { readonly seed: number }>(plan: T, seed: number): T {
  const given = sizes.filter((name) => name in plan && values[name] !== '').map((name) => [name, Number(values[name])]);
  return { ...plan, ...Object.fromEntries(given), seed };
}

/** Function that runs a full-size trial with a fleet store. Resolves to the report. */
type Trial = (engine: StoreEngine, seed: number) => Promise<object>;

const trials: Readonly<Record<string, Trial>> = {
  arrays: (engine, seed) => tryArrays(engine, command, sized(fullArrayPlan, seed)),
  away: (engine, seed) => tryAway(engine, command, sized(fullAwayPlan, seed)),
  canary: (engine, seed) => tryCanaries(engine, command, sized(fullCanaryPlan, seed)),
  faults: (engine, seed) => tryFaults(engine, command, sized(fullFaultPlan, seed)),
  secrets: (engine, seed) => trySecrets(engine, command, sized(fullSecretPlan, seed)),
  speed: (engine, seed) => trySpeed(engine, command, sized(fullSpeedPlan, seed)),
};

/** Runs a trial once per seed with a fleet store, if the store is installed. */
async function run(name: string, trial: Trial, store: string): Promise<void> {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.runs); seed++) {
    const engine = (await engines[store]?.({ random: new Random(seed), fsync: name === 'speed' })) ?? null;
    if (engine === null) {
      console.log(`${name}, ${store}: skipped, because it is not installed`);
      return;
    }
    try {
      const report = await trial(engine, seed);
      console.log(`${name}, ${store}, seed ${seed}:`, JSON.stringify(report, null, 1));
      if ('problems' in report && (report.problems as readonly string[]).length > 0) process.exitCode = 1;
    } finally {
      await engine.stop();
    }
  }
}

/** Runs the failover trials, which start their own Redis servers. */
async function runFailovers(): Promise<void> {
  const seed = Number(values.seed);
  const report = await tryFailovers(command, sized(fullFailoverPlan, seed));
  console.log(`failovers, redis, seed ${seed}:`, report === null ? 'skipped' : JSON.stringify(report, null, 1));
  if (report !== null && report.problems.length > 0) process.exitCode = 1;
}

/** Runs the certificate trials, which start their own storages. */
async function runCertificates(name: string): Promise<void> {
  const seed = Number(values.seed);
  const store = (await certificateStores[name]?.()) ?? null;
  const report = store === null ? null : await tryCertificates(store, sized(fullCertificatePlan, seed));
  await store?.stop();
  console.log(`certificates, ${name}, seed ${seed}:`, report === null ? 'skipped' : JSON.stringify(report, null, 1));
  if (report !== null && report.problems.length > 0) process.exitCode = 1;
}

const names = [...Object.keys(trials), 'certificates', 'failovers'];
for (const name of positionals.length === 0 ? names : positionals) {
  if (name === 'certificates') {
    for (const store of Object.keys(certificateStores)) if (store.includes(values.store)) await runCertificates(store);
    continue;
  }
  if (name === 'failovers') {
    await runFailovers();
    continue;
  }
  const trial = trials[name];
  if (trial === undefined) throw new Error(`unknown trial ${name}: expected one of ${names.join(', ')}`);
  for (const store of Object.keys(engines)) if (store.includes(values.store)) await run(name, trial, store);
}
process.exit();
