import { expect } from 'chai';
import { Random } from '../src/differential/random.ts';
import { bytesOf } from '../src/requests/request.ts';
import { isThere, reference } from '../src/servers/commands.ts';
import { makeSequence } from '../src/trial/admin-sequences.ts';
import { makeConfiguration } from '../src/trial/configuration.ts';
import { isKnown } from '../src/trial/known-differences.ts';
import { makeRequest } from '../src/trial/requests.ts';
import { runTrial } from '../src/trial/run.ts';

describe('conformance tool: random cases compared with Caddy', function () {
  this.timeout(180_000);

  it('random cases are identical for the same seed', () => {
    const make = (seed: number): string =>
      JSON.stringify([
        makeConfiguration(new Random(seed), 80),
        makeSequence(new Random(seed), [80, 81]),
        bytesOf(makeRequest(new Random(seed))).toString('latin1'),
      ]);
    expect(make(1)).to.equal(make(1));
    expect(make(1)).not.to.equal(make(2));
  });

  it('isKnown accepts only declared differences', () => {
    const call = { method: 'POST', path: '/config/apps/http/servers/s', body: 'null' };
    expect(isKnown({ kind: 'admin', call, theirs: 'no response', mine: '400 ' })).to.equal(true);
    expect(isKnown({ kind: 'admin', call, theirs: 'no response', mine: '200 ' })).to.equal(false);
    expect(isKnown({ kind: 'admin', call, theirs: '200 ', mine: '400 ' })).to.equal(false);
  });

  it('random cases generated from a few seeds have the same outcome on Sluice and Caddy @long', async function () {
    if (!isThere('caddy') && reference() === null) this.skip();
    const reported: string[] = [];
    const found = await runTrial({
      count: 40 * Number(process.env['SLUICE_TEST_FACTOR'] ?? 1),
      seed: 27,
      log: (line) => reported.push(line),
    });
    expect(found).to.deep.equal([]);
    expect(reported.filter((line) => line.includes('0 differ'))).to.have.length(3);
  });
});
