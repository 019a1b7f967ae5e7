import { expect } from 'chai';
import { tryOverHttp } from '../src/reach/over-http.ts';
import { planted } from '../src/reach/planted.ts';
import { tryClaims } from '../src/reach/trial.ts';

describe('conformance tool: routes that sluice lint reports as unreachable', () => {
  it('generated requests reach no route that sluice lint reports as unreachable', async () => {
    const { requests, wrong, claims, places, unreachable, reached, aimed } = await tryClaims({
      seed: 3,
      requests: 8000,
      each: 80,
    });
    expect(wrong.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
    expect(requests).to.equal(8000);
    // The trial would prove nothing if few routes were unreachable or few were reached.
    expect(unreachable).to.be.greaterThan(places / 10);
    expect(reached).to.be.greaterThan((places - unreachable) / 10);
    expect(aimed).to.be.greaterThan(requests / 4);
    expect([...claims.keys()]).to.include.members(['SL001', 'SL002', 'SL003', 'SL004', 'SL005', 'SL012', 'SL016']);
  }).timeout(120_000);

  for (const [name, register] of Object.entries(planted))
    it(`generated requests disprove the false claim of ${name}`, async () => {
      const { wrong } = await tryClaims({ seed: 1, requests: 40_000, each: 50, planted: register });
      expect(wrong).to.not.deep.equal([]);
    }).timeout(120_000);

  it('generated requests sent over connections reach the same routes as in-process requests, and no unreachable route', async () => {
    const { requests, reached, wrong, different } = await tryOverHttp({ seed: 5, requests: 200, each: 20 });
    expect(different.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
    expect(wrong).to.deep.equal([]);
    expect(reached).to.be.greaterThan(requests);
  }).timeout(120_000);
});
