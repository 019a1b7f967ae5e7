/** Tests that Caddyfile values equal to the name of a global option do not change the configuration. */
import { expect } from 'chai';
import { globalOptions } from '@sluice/caddyfile/contribute';
import { adaptConfig } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import { registerStandard } from '../../src/register-standard.ts';

const registry = new Registry();
registerStandard(registry);
const adapt = async (word: string): Promise<string> =>
  JSON.stringify((await adaptConfig(registry, 'caddyfile', `:80\nheader X ${word}\n`)).config).replace(
    `"X":["${word}"]`,
    '"X":["word"]',
  );

describe('Caddyfile values with the name of a global option', () => {
  for (const name of registry.contributions(globalOptions).keys())
    it(`the Caddyfile value ${name} does not set the global option of the same name`, async () => {
      expect(await adapt(name)).to.equal(await adapt('neither'));
    });
});
