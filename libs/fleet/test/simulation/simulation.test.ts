import { expect } from 'chai';
import { problemsOf } from './check.ts';
import { faults } from './faults.ts';
import { play } from './run.ts';
import type { Making } from './simulated-member.ts';

/** Returns the first seed whose simulation violates an invariant, with a description of the violation. */
async function firstProblem(seeds: number, making?: Making): Promise<string | null> {
  for (let seed = 0; seed < seeds; seed++) {
    const [problem] = problemsOf(await play(seed, making));
    if (problem !== undefined) return `seed ${seed}: ${problem}`;
  }
  return null;
}

describe('simulated fleets', function () {
  this.timeout(300_000);
  const seeds = Number(process.env['SLUICE_TEST_SEEDS'] ?? 100);

  it(`simulated members apply every change at most once, in one order, and end up with the same document: ${seeds} seeds`, async () => {
    expect(await firstProblem(seeds)).to.equal(null);
  });

  it('simulations with the same seed produce identical runs', async () => {
    const traces = await Promise.all([7, 7, 8].map((seed) => play(seed)));
    const [one, same, other] = traces.map(({ log }) => log.map(({ op, who, patch }) => ({ op, who, patch })));
    expect(one).to.deep.equal(same);
    expect(one).not.to.deep.equal(other);
  });

  for (const [name, making] of Object.entries(faults)) {
    it(`simulations detect ${name} within 1,000 seeds`, async () => {
      expect(await firstProblem(1000, making)).not.to.equal(null);
    });
  }
});
