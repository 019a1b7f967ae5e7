/** As many random cases as SLUICE_TRIAL_CASES says, from the seed of SLUICE_TRIAL_SEED, beside the reference. */
import { expect } from 'chai';
import { reference } from '../src/servers/commands.ts';
import { runTrial } from '../src/trial/run.ts';

describe('random cases beside the reference, at length', function () {
  this.timeout(0);

  it('have the same outcome on both servers', async function () {
    if (reference() === null) this.skip();
    const count = Number(process.env['SLUICE_TRIAL_CASES'] ?? 600);
    const seed = Number(process.env['SLUICE_TRIAL_SEED'] ?? 1);
    const found = await runTrial({ count, seed, log: (line) => console.log(line) });
    expect(found).to.have.length(0);
  });
});
