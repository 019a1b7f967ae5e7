import { expect } from 'chai';
import { engines } from '../../../src/fleet-trials/engines/index.ts';
import { fullFaultPlan, tryFaults } from '../../../src/fleet-trials/fault-trial.ts';
import { onEngine } from '../../fleet-trials/on-engine.ts';
import { sourceCommand } from '../../fleet-trials/source-command.ts';

describe('fleet trial with failing members and a failing store, at small scale', function () {
  this.timeout(240_000);

  for (const name of Object.keys(engines))
    it(`a fleet with ${name} applies each change at most once, in one order, and keeps connections open`, function () {
      return onEngine(this, name, async (engine, seed) => {
        const sizes = { writers: 8, changes: 60, rest: 600, broken: 1200, whole: 500, tunnels: 40, streams: 10 };
        const report = await tryFaults(engine, sourceCommand, { ...fullFaultPlan, ...sizes, seed });
        const { committed, refused, unknown, faults, porcupine, problems } = report;
        const about = `seed ${seed}: ${JSON.stringify(report)}`;
        expect(problems, about).to.deep.equal([]);
        if (typeof porcupine === 'string') expect(porcupine, about).to.equal('accepted');
        expect(committed + refused + unknown).to.equal(60);
        expect(committed, about).to.be.greaterThan(0);
        expect(faults, about).to.be.greaterThan(0);
      });
    });
});
