import { expect } from 'chai';
import { wordsIn } from '../words.mjs';

describe('tools/workspace/words', () => {
  for (const line of [
    '// honestly no list',
    '// It is no list.',
    'hosts are no `names`',
    'provisioned anew',
    'of nobody',
  ])
    it(`wordsIn rejects ${JSON.stringify(line)} and reports its line`, () => {
      expect(wordsIn('a.ts', `first\n${line}\n`)).to.have.length(1);
      expect(wordsIn('a.ts', `first\n${line}\n`)[0]).to.match(/^a\.ts:2: .+: write /);
    });

  for (const line of [
    'const noBody = 1;',
    'There are no lists.',
    'it is no longer there',
    'a response, again',
    '<figure>',
  ])
    it(`wordsIn accepts ${JSON.stringify(line)}`, () => expect(wordsIn('a.ts', line)).to.deep.equal([]));
});
