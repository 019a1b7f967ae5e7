import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@sluice/base';
import { checkOptions, moduleKeyword, Registry } from '@sluice/registry';
import { valueNear } from '@sluice/testing/schemas';
import { registerStandard } from '../../src/register-standard.ts';

const ajv = new Ajv({ strict: false, strictNumbers: true, validateSchema: false, addUsedSchema: false });
ajv.addKeyword(moduleKeyword);

describe('options of built-in modules', () => {
  it('compiled option checks agree with Ajv for all schemas @long', async function () {
    this.timeout(60_000);
    const registry = new Registry();
    registerStandard(registry);
    await registry.loadAll();
    const modules = [...registry.list().map(({ descriptor }) => descriptor), ...registry.sections().values()];
    const seen = { taken: 0, refused: 0 };
    for (const module of modules) {
      const validate = ajv.compile(module.config);
      const schema = module.config as unknown as Readonly<Record<string, unknown>>;
      fc.assert(
        fc.property(valueNear(schema), (value) => {
          const expected = validate(value);
          seen[expected ? 'taken' : 'refused']++;
          const check = (): void => checkOptions(module, value as Json, module.id);
          if (expected) check();
          else expect(check).to.throw();
        }),
        { numRuns: 40 },
      );
    }
    expect(modules.length).to.be.above(130);
    expect(seen.taken).to.be.above(500);
    expect(seen.refused).to.be.above(500);
  });
});
