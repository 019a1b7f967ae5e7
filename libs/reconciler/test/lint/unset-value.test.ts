import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { lint, lintChecks, Registry } from '@sluice/registry';
import { unsetValue } from '../../src/lint/unset-value.ts';

/** Returns the findings for a document in the form `where: message`. */
async function reported(document: Json): Promise<readonly string[]> {
  const registry = new Registry();
  registry.contribute(lintChecks, { name: unsetValue.code, load: async () => unsetValue });
  return (await lint(registry, document, silentLogger)).map(({ path, message }) => `${path}: ${message}`);
}

describe('lint check SL019', () => {
  const set = 'SLUICE_LINT_TEST_SET';
  const unset = 'SLUICE_LINT_TEST_UNSET';
  before(() => {
    process.env[set] = '';
    delete process.env[unset];
  });
  after(() => {
    delete process.env[set];
  });

  it('SL019 finds unset variables anywhere, and ignores empty variables', async () => {
    const document = {
      apps: { a: [`{env.${set}}`, `x {env.${unset}} y`], b: { c: `{env.${unset}}{env.NO_${unset}}` } },
    };
    expect(await reported(document)).to.deep.equal([
      `apps.a[1]: the environment variable ${unset} is not set on this machine, so the placeholder is empty: set it`,
      `apps.b.c: the environment variable ${unset} is not set on this machine, so the placeholder is empty: set it`,
      `apps.b.c: the environment variable NO_${unset} is not set on this machine, so the placeholder is empty: set it`,
    ]);
  });

  it('SL019 finds missing files', async () => {
    const here = import.meta.filename;
    expect(await reported({ a: `{file.${here}}`, b: `{file.${here}.no}` })).to.deep.equal([
      `b: the file ${here}.no does not exist on this machine, so the placeholder is empty: create it`,
    ]);
  });

  it('SL019 ignores text without env and file placeholders', async () => {
    const texts = [
      `\\{env.${unset}}`,
      `{env.}`,
      `{${unset}}`,
      `env.${unset}`,
      `{http.env.${unset}}`,
      '{system.os}',
      '',
    ];
    expect(await reported({ texts, number: 1, nothing: null, [`{env.${unset}}`]: true })).to.deep.equal([]);
  });

  it('SL019 reports its bad example and accepts its good example', async () => {
    expect(await reported(JSON.parse(unsetValue.bad.text) as Json)).to.have.length(1);
    expect(await reported(JSON.parse(unsetValue.good.text) as Json)).to.deep.equal([]);
  });
});
