import { expect } from 'chai';
import { compareExplanations } from '../src/explain/compare.ts';

/** Factor by which the number of cases is multiplied. The trial sets a higher factor. */
const factor = Number(process.env['SLUICE_TEST_FACTOR'] ?? 1);

describe('conformance tool: explanations and outcomes', () => {
  for (const { hosts, configurations, requests } of [
    { hosts: 1, configurations: 60 * factor, requests: 100 },
    { hosts: 99, configurations: 3, requests: 500 * factor },
    { hosts: 101, configurations: 3, requests: 500 * factor },
    { hosts: 10_000, configurations: 1, requests: 1000 * factor },
  ])
    it(`explanations agree with outcomes for ${configurations * requests} requests to configurations with ${hosts} hosts @long`, async () => {
      const found = await compareExplanations({ seed: 11, hosts, configurations, requests });
      expect(found.contradictions.map((each) => JSON.stringify(each)).join('\n')).to.equal('');
      expect(found.requests).to.equal(configurations * requests);
      // Most requests are also traced. The others lack a fact or a declared response.
      expect(found.traced).to.be.at.least(found.requests * 0.6);
      expect(found.facts.unknown).to.be.at.most((found.facts.known + found.facts.unknown) / 20);
      // A comparison with only empty responses would prove nothing.
      expect(found.handlers.size).to.be.greaterThan(20);
      expect(found.proxied).to.be.at.least(found.requests / 20);
      expect([...found.kinds.keys()]).to.include.members(['response', 'error', 'outward']);
    }).timeout(600_000 * factor);
});
