import { expect } from 'chai';
import { problemsOf, tryArrays } from '../../src/fleet-trials/array-trial.ts';
import { engines } from '../../src/fleet-trials/engines/index.ts';
import { Random } from '../../src/fleet-trials/random.ts';
import { sourceCommand } from './source-command.ts';

describe('tools/benchmarks: many writers of one array in a fleet, small', function () {
  this.timeout(180_000);

  it('has some order of what they did', async function () {
    const seed = Date.now() % 1_000_000;
    const engine = (await engines['etcd']?.({ random: new Random(seed) })) ?? null;
    if (engine === null) {
      process.stdout.write('        skipped: this machine has no etcd\n');
      this.skip();
    }
    try {
      const report = await tryArrays(engine, sourceCommand, { seed, writers: 12, rounds: 4 });
      expect(report.problems, `seed ${seed}`).to.deep.equal([]);
      expect(report.serial).to.equal(4);
      expect(report.committed).to.be.greaterThan(3);
    } finally {
      await engine.stop();
    }
  });

  it('would notice an edit that was made somewhere else, twice, or although it was refused', () => {
    const edits = [
      { op: 'a', index: 1, value: 'a' },
      { op: 'b', index: 2, value: null },
    ];
    const statuses = new Map([
      ['a', 200],
      ['b', 412],
    ]);
    const before = ['x', 'y', 'z'];
    expect(problemsOf(before, ['x', 'a', 'y', 'z'], { edits, statuses, order: ['a'] })).to.deep.equal([]);
    expect(problemsOf(before, ['x', 'y', 'a', 'z'], { edits, statuses, order: ['a'] })).to.have.length(1);
    expect(problemsOf(before, ['x', 'a', 'y', 'z'], { edits, statuses, order: ['a', 'a'] })).to.have.length(1);
    expect(problemsOf(before, ['x', 'a', 'z'], { edits, statuses, order: ['a', 'b'] })).to.have.length(1);
  });
});
