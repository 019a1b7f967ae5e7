import { expect } from 'chai';
import { MemoryStore, type Entry, type Head, type StoreLease, type SwapResult } from '@sluice/fleet';
import { playRollout, type RolloutMaking } from './play-rollout.ts';

/** Returns the first seed whose simulation violates an invariant, with a description of the violation. */
async function firstProblem(seeds: number, making?: RolloutMaking): Promise<string | null> {
  for (let seed = 0; seed < seeds; seed++) {
    const [problem] = await playRollout(seed, making);
    if (problem !== undefined) return `seed ${seed}: ${problem}`;
  }
  return null;
}

/** A store with a defect: a lease outlives its owner. */
class LastingLease extends MemoryStore {
  override lease(name: string, value: string, seconds: number): Promise<StoreLease | null> {
    return super.lease(name, value, name === 'rollout' ? seconds * 1000 : seconds);
  }
}

/** A store with a defect: it reports a change as logged before the log contains it. */
class HastyStore extends MemoryStore {
  override async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    return super.swap(base, lineage, entries).catch(() => ({ outcome: 'swapped' as const }));
  }
}

describe('simulated rollouts', function () {
  this.timeout(300_000);
  const seeds = Number(process.env['SLUICE_TEST_SEEDS'] ?? 30);

  it(`simulated members end up with the same document, regardless of when they are killed or disconnected: ${seeds} seeds`, async () => {
    expect(await firstProblem(seeds)).to.equal(null);
  });

  for (const [name, Store] of Object.entries({
    'a lease that outlives its holder': LastingLease,
    'a store that acknowledges writes before it performs them': HastyStore,
  }))
    it(`rollout simulations detect ${name} within 500 seeds @long`, async () => {
      const makeStore: RolloutMaking['makeStore'] = (...parts) => new Store(...parts);
      expect(await firstProblem(500, { makeStore })).not.to.equal(null);
    });
});
