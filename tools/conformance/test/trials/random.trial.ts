/** Runs random cases against Caddy. SLUICE_TRIAL_CASES is the number of cases, and SLUICE_TRIAL_SEED the first seed. */
import { expect } from 'chai';
import { reference } from '../../src/servers/commands.ts';
import { runTrial } from '../../src/trial/run.ts';

describe('conformance tool: many random cases compared with Caddy', function () {
  this.timeout(0);

  it('random cases have the same outcome on Sluice and Caddy', async function () {
    if (reference() === null) this.skip();
    const count = Number(process.env['SLUICE_TRIAL_CASES'] ?? 600);
    const seed = Number(process.env['SLUICE_TRIAL_SEED'] ?? 1);
    const found = await runTrial({ count, seed, log: (line) => console.log(line) });
    expect(found).to.have.length(0);
  });
});
