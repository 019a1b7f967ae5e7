import { expect } from 'chai';
import { compareMoves } from '../src/explain/moves/compare.ts';

const changes = 1000;

describe('conformance tool: dry runs with automatic HTTPS', () => {
  it(`a dry run lists exactly the requests that move when a change is applied, for ${changes} changes @long`, async () => {
    const found = await compareMoves(7, changes);
    expect(found.contradictions.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
    expect(found.changes).to.equal(changes);
    // The comparison proves nothing if no request is rerouted or the results of all requests are unknown.
    expect(found.moved).to.be.greaterThan(found.requests / 10);
    expect(found.redirected).to.be.greaterThan(found.requests / 100);
    expect(found.unknown).to.be.at.most(found.requests / 20);
  }).timeout(600_000);
});
