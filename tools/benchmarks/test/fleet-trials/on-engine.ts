/** Runs small versions of the fleet trials as tests. */
import type { Context } from 'mocha';
import { engines, type StoreEngine } from '../../src/fleet-trials/engines/index.ts';
import { Random } from '../../src/fleet-trials/random.ts';

/** Runs a trial with a seed. Failure messages must include the seed. Skips the test if the store is not installed. */
export async function onEngine(
  test: Context,
  name: string,
  trial: (engine: StoreEngine, seed: number) => Promise<void>,
): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const engine = (await engines[name]?.({ random: new Random(seed) })) ?? null;
  if (engine === null) {
    process.stdout.write(`        skipped: ${name} is not installed\n`);
    test.skip();
  }
  try {
    await trial(engine, seed);
  } finally {
    await engine.stop();
  }
}
