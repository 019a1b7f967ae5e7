/**
 * The long version of random.test.ts: `NGINX_RANDOM=3000 npx mocha apps/server/test/trials/nginx/random.trial.ts`. `NGINX_SEED` is the
 * first seed.
 */
import { expect } from 'chai';
import { nginxCommand, Pair } from '../../nginx/pair.ts';
import { playRandom } from '../../nginx/random.ts';

const count = Number(process.env['NGINX_RANDOM'] ?? 40);
const from = Number(process.env['NGINX_SEED'] ?? 1_000_000);

describe(`nginx and Sluice with ${count} random configurations`, () => {
  let pair: Pair;

  before(async function () {
    if (nginxCommand === null) return this.skip();
    pair = await Pair.start();
  });

  after(() => pair?.stop());

  it('nginx and Sluice respond identically to random configurations', async function () {
    this.timeout(0);
    const { configurations, differences, requests } = await playRandom(pair, from, count);
    process.stdout.write(`      ${configurations} configurations, ${requests} requests\n`);
    expect(differences.join('\n\n')).to.equal('');
  });
});
