import { expect } from 'chai';
import { nginxCommand, Pair } from './pair.ts';
import { playRandom } from './random.ts';

describe('nginx and Sluice with random configurations', () => {
  let pair: Pair;

  before(async function () {
    if (nginxCommand === null) return this.skip();
    pair = await Pair.start();
  });

  after(() => pair?.stop());

  it('nginx and Sluice respond identically to a few hundred random requests @long', async function () {
    this.timeout(60_000);
    const { differences, requests } = await playRandom(pair, 1, 25);
    expect(differences.join('\n\n')).to.equal('');
    expect(requests).to.be.at.least(200);
  });
});
