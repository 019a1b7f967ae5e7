/** Compares the responses of nginx and Sluice for the same configurations. */
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readCases } from './cases.ts';
import { withoutFoundType } from './declared.ts';
import { nginxCommand, Pair } from './pair.ts';

const cases = readCases(fileURLToPath(new URL('../fixtures/nginx', import.meta.url)));

describe('nginx and Sluice with the same configuration', () => {
  let pair: Pair;

  before(async function () {
    if (nginxCommand === null) return this.skip();
    pair = await Pair.start();
  });

  after(() => pair?.stop());

  for (const each of cases) {
    it(`nginx and Sluice respond identically to ${each.name}`, async function () {
      if (pair.lacks(each)) return this.skip();
      const { theirs, ours } = await pair.play(each);
      for (const [i, { source }] of each.requests.entries())
        expect(withoutFoundType(theirs[i]!, ours[i]!), `${each.name}.conf: ${source}`).to.deep.equal(theirs[i]);
    });
  }
});
