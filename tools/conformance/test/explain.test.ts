import { expect } from 'chai';
import { compareExplanations } from '../src/explain/compare.ts';

/** The trial plays more. */
const factor = Number(process.env['SLUICE_TEST_FACTOR'] ?? 1);

describe('explanations and what happens', () => {
  for (const { hosts, configurations, requests } of [
    { hosts: 1, configurations: 12 * factor, requests: 100 },
    { hosts: 99, configurations: 3, requests: 170 * factor },
    { hosts: 101, configurations: 3, requests: 170 * factor },
    { hosts: 10_000, configurations: 1, requests: 500 * factor },
  ])
    it(`agree on ${configurations * requests} requests to configurations with ${hosts} hosts @long`, async () => {
      const found = await compareExplanations({ seed: 11, hosts, configurations, requests });
      expect(found.contradictions.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
      expect(found.requests).to.equal(configurations * requests);
      // What happened is what was traced, step by step, and what the client got.
      expect(found.traced).to.be.at.least(found.requests * 0.99);
      expect(found.unknown).to.be.at.most(found.requests / 100);
      // Comparing empty responses alone would prove nothing.
      expect(found.handlers.size).to.be.greaterThan(hosts === 1 ? 5 : 20);
      expect([...found.kinds.keys()]).to.include.members(['response', 'error']);
    }).timeout(120_000);
});
