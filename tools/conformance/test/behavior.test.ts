import { expect } from 'chai';
import { comparePredictions } from '../src/explain/behavior/compare.ts';

const pairs = 40;

describe('conformance tool: predicted differences in behavior', () => {
  it(`a replay shows exactly the predicted differences for ${pairs} changes @long`, async () => {
    const found = await comparePredictions({ seed: 3, pairs, requests: 100 });
    expect(found.contradictions.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
    expect(found.pairs).to.equal(pairs);
    // The comparison proves nothing if no request differs or the results of all requests are unknown.
    expect(found.changed).to.be.greaterThan(found.requests / 20);
    expect(found.undecided).to.be.at.most(found.requests / 20);
  }).timeout(600_000);
});
