import { expect } from 'chai';
import { engines } from '../../src/fleet-trials/engines/index.ts';
import { fullFaultPlan, tryFaults } from '../../src/fleet-trials/fault-trial.ts';
import { Random } from '../../src/fleet-trials/random.ts';
import { sourceCommand } from './source-command.ts';

describe('tools/benchmarks: a fleet while members and its store fail, small', function () {
  this.timeout(180_000);

  for (const [name, start] of Object.entries(engines))
    it(`has every change once or not at all, in one order, on ${name}`, async function () {
      const seed = Date.now() % 1_000_000;
      const engine = await start({ random: new Random(seed) });
      if (engine === null) {
        process.stdout.write(`        skipped: this machine has no ${name}\n`);
        this.skip();
      }
      try {
        const plan = { ...fullFaultPlan, seed, writers: 8, changes: 60, rest: 600, broken: 1200, whole: 500 };
        const report = await tryFaults(engine, sourceCommand, plan);
        const { committed, refused, unknown, faults, porcupine, problems } = report;
        const about = `seed ${seed}: ${JSON.stringify(report)}`;
        expect(problems, about).to.deep.equal([]);
        if (typeof porcupine === 'string') expect(porcupine, about).to.equal('accepted');
        expect(committed + refused + unknown).to.equal(60);
        expect(committed, about).to.be.greaterThan(0);
        expect(faults, about).to.be.greaterThan(0);
      } finally {
        await engine.stop();
      }
    });
});
