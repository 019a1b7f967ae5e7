import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { lint, Registry } from '@sluice/registry';
import { registerStandard } from '../../../src/register-standard.ts';
import { documentOf, readCorpus, type CorpusEntry } from '../../support/corpus.ts';

const registry = new Registry();
registerStandard(registry);

async function codesIn(entry: CorpusEntry): Promise<string> {
  const findings = await lint(registry, await documentOf(registry, entry), silentLogger);
  return [...new Set(findings.map(({ code }) => code ?? ''))].sort().join(',');
}

describe('lint corpus', () => {
  const mistakes = readCorpus(new URL('corpus/mistakes.txt', import.meta.url));
  const sane = readCorpus(new URL('corpus/sane.txt', import.meta.url));

  it('the lint corpus has at least 80 mistakes and 60 valid configurations', () => {
    expect(mistakes).to.have.length.at.least(80);
    expect(sane).to.have.length.at.least(60);
  });

  for (const entry of mistakes) {
    const [codes = '', ...words] = entry.title.split(' ');
    it(`sluice lint reports only ${codes} in: ${words.join(' ')}`, async () => {
      expect(await codesIn(entry)).to.equal(codes);
    });
  }

  for (const entry of sane)
    it(`sluice lint accepts: ${entry.title}`, async () => expect(await codesIn(entry)).to.equal(''));
});
