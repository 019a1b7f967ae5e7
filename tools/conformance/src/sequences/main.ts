/**
 * Runs random sequences of events on two server replicas that use a real API server. Both replicas must reach the same configuration and
 * status as after a fresh start. `tools/conformance/gateway-api/sequences.sh` runs this program.
 *      [--count 200] [--seed NUMBER] [--path PATH] [--minutes 60]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { describe, sequences } from './events.ts';
import { grantPermissions, serviceAccountToken } from './permissions.ts';
import { Cluster } from './cluster.ts';
import { Replica } from './replica.ts';
import { Trial } from './trial.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    replay: { type: 'string' },
  },
});

const cluster = new Cluster(process.env);
await grantPermissions(cluster);
const token = await serviceAccountToken(cluster);
const directory = `${process.env['HARNESS_RUN'] ?? ''}/sequences`;
const replicas = ['one', 'two'].map(
  (name, number) => new Replica(cluster, directory, { name, number, token, lease: 'sluice' }),
);
const fresh = new Replica(cluster, directory, { name: 'fresh', number: 9, token, lease: 'none' });
const all = [...replicas, fresh];
await Promise.all(all.map((each) => each.listen()));
await Promise.all(all.map((each) => each.start()));

await fresh.stopProviders();
const trial = new Trial(cluster, replicas, fresh);
let played = 0;
const seed = Number(values.seed);
console.log(`seed ${seed}`);
const property = fc.asyncProperty(sequences, async (events) => {
  const started = performance.now();
  try {
    await trial.run(events);
    played++;
    console.log(`${played}: ${events.length} events, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.log(`failed after ${events.length} events: ${JSON.stringify(events)}`);
    for (const each of events) console.log(`  ${describe(each)}`);
    console.log((error as Error).message);
    await trial.recover();
    throw error;
  }
});
if (values.replay !== undefined) {
  await trial.run(JSON.parse(readFileSync(values.replay, 'utf8')) as never);
  console.log('passed');
} else {
  const result = await fc.check(property, {
    seed,
    numRuns: Number(values.count),
    interruptAfterTimeLimit: Number(values.minutes) * 60_000,
    ...(values.path === undefined ? {} : { path: values.path }),
  });
  console.log(
    result.failed
      ? `failed; repeat with --seed ${seed} --path ${result.counterexamplePath ?? ''}`
      : `${played} sequences passed, seed ${seed}`,
  );
  process.exitCode = result.failed ? 1 : 0;
}
await Promise.all(all.map((each) => each.kill()));
for (const { proxy } of all) proxy.close();
process.exit();
