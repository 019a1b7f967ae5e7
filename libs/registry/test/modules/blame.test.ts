import { expect } from 'chai';
import { apps, blame, defineModule, options, Registry } from '@sluice/registry';
import { configError, silentLogger } from '@sluice/base';
import { Runtime } from '@sluice/engine';

const origin = { package: '@sluice/registry', version: '1.2.3', standard: false };

function mistake(): unknown {
  try {
    return (undefined as unknown as { never: () => void }).never();
  } catch (error) {
    return error;
  }
}

describe('blame', () => {
  it('names the package, the file and the line of a mistake', () => {
    const { message, cause } = blame(mistake(), 'http.handlers.x', origin) as Error;
    expect(message).to.match(
      /^the module http\.handlers\.x of the package @sluice\/registry 1\.2\.3 has a mistake: TypeError: .*never.*, at .*blame\.test\.ts:\d+:\d+$/,
    );
    expect(cause).to.be.instanceOf(TypeError);
  });

  it('leaves refusals as they are', () => {
    for (const refusal of [
      new Error('no'),
      configError('apps', 'no'),
      Object.assign(new TypeError('x'), { code: 'ERR_X' }),
    ])
      expect(blame(refusal, 'x', origin)).to.equal(refusal);
  });

  it('tells of what is thrown and is not an error', () => {
    expect((blame('a text', 'x', { package: null, version: null, standard: true }) as Error).message).to.equal(
      'the module x has a mistake: it threw a text, which is no Error',
    );
  });

  const hooks = ['provision', 'start'] as const;
  for (const hook of hooks) {
    it(`is asked about what fails in ${hook}`, async () => {
      const broken = defineModule(apps, {
        name: 'broken',
        help: 'Has a mistake.',
        config: options({}),
        provision(_config, context) {
          if (hook === 'provision') throw mistake();
          context.onStart(() => {
            throw mistake();
          });
          return {};
        },
      });
      const registry = new Registry().use((all) => all.add(broken), origin);
      const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
      const failure = await runtime.prepare({ apps: { broken: {} } }).catch((error: unknown) => error);
      expect((failure as Error).message).to.match(
        /^apps\.broken: the module broken of the package @sluice\/registry 1\.2\.3 has a mistake: TypeError: .*:\d+:\d+$/,
      );
    });
  }
});
