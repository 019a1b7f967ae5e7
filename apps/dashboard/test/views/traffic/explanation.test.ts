import { expect } from 'chai';
import { assumptionText, outcomeText, type Outcome } from '../../../src/page/views/traffic/explanation.ts';

const why = 'the policy may select this upstream';
const candidates = ['10.0.0.1:80', '10.0.0.2:80'].map((address) => ({ address, chosen: false, possible: true, why }));
const drained = { address: '10.0.0.3:80', chosen: false, possible: false, why: 'is drained' };
const outward: Outcome = {
  kind: 'outward',
  status: 0,
  route: null,
  upstream: { address: null, known: 'unknown', candidates: [...candidates, drained] },
  sends: { to: null, method: 'GET', uri: '/' },
};

describe('dashboard text of an explanation', () => {
  it('the explanation lists all possible upstreams without marking any as certain', () => {
    expect(outcomeText(outward)).to.equal('Proxied to one of 10.0.0.1:80, 10.0.0.2:80');
  });

  it('the explanation names the upstream that is assumed for a path', () => {
    const upstream = { address: '10.0.0.1:80', known: 'assumed', candidates };
    expect(outcomeText({ ...outward, upstream })).to.equal('Proxied to 10.0.0.1:80');
    expect(assumptionText({ path: 'p', fact: 'random', verdict: true, upstream: '10.0.0.1:80' })).to.equal(
      '10.0.0.1:80 is selected',
    );
    expect(assumptionText({ path: 'p', fact: 'client address', verdict: false })).to.equal(
      'client address does not match',
    );
  });

  it('the explanation does not show an unknown status as 0', () => {
    expect(outcomeText({ kind: 'response', status: 0, route: null })).to.equal('Responds with an unknown status code');
  });
});
