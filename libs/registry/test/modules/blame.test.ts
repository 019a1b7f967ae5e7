import { expect } from 'chai';
import { apps, blame, defineModule, isProgrammingError, options, placeOf, Registry } from '@sluice/registry';
import { configError, silentLogger } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';

const origin = { package: '@sluice/registry', version: '1.2.3', standard: false };

function mistake(): unknown {
  try {
    return (undefined as unknown as { never: () => void }).never();
  } catch (error) {
    return error;
  }
}

describe('blame', () => {
  // Attack in docs/security.md: An exception in a third-party module.
  it('blame() names the package, file and line of a programming error', () => {
    const { message, cause } = blame(mistake(), 'http.handlers.x', origin) as Error;
    expect(message).to.match(
      /^the module http\.handlers\.x of the package @sluice\/registry 1\.2\.3 has a programming error: TypeError: .*never.*, at .*blame\.test\.ts:\d+:\d+$/,
    );
    expect(cause).to.be.instanceOf(TypeError);
  });

  it('blame() returns intentional errors unchanged', () => {
    for (const refusal of [
      new Error('no'),
      configError('apps', 'no'),
      Object.assign(new TypeError('x'), { code: 'ERR_X' }),
    ])
      expect(blame(refusal, 'x', origin)).to.equal(refusal);
  });

  it('blame() describes thrown values that are not errors', () => {
    expect((blame('a text', 'x', { package: null, version: null, standard: true }) as Error).message).to.equal(
      'the module x has a programming error: it threw a text, which is not an Error',
    );
  });

  const hooks = ['provision', 'start'] as const;
  for (const hook of hooks) {
    it(`blame() names the package for failures in ${hook}`, async () => {
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
        /^apps\.broken: the module broken of the package @sluice\/registry 1\.2\.3 has a programming error: TypeError: .*:\d+:\d+$/,
      );
    });
  }

  it('blame() omits the package and version if they are unknown', () => {
    const start = (packageName: string | null, version: string | null): string =>
      (blame(1, 'x', { package: packageName, version, standard: true }) as Error).message.replace(/ has a .*/, '');
    expect(start(null, null)).to.equal('the module x');
    expect(start('a', null)).to.equal('the module x of the package a');
    expect(start('a', '1.0.0')).to.equal('the module x of the package a 1.0.0');
  });

  it('isProgrammingError recognizes programming errors', () => {
    const mistakes: unknown[] = [new TypeError('a'), new RangeError('a'), new ReferenceError('a'), 'text', null];
    for (const each of mistakes) expect(isProgrammingError(each), String(each)).to.equal(true);
    const coded = Object.assign(new RangeError('a'), { code: 'ERR_OUT_OF_RANGE' });
    for (const each of [new Error('a'), new SyntaxError('a'), coded]) expect(isProgrammingError(each)).to.equal(false);
  });

  it('placeOf prefers a file of the package to the innermost stack frame', () => {
    const error = new TypeError('a');
    const here = import.meta.filename;
    const elsewhere = '/nowhere/deep/index.js';
    error.stack = `TypeError: a\n    at first (${elsewhere}:1:2)\n    at async second (${import.meta.url}:30:40)\n    at node:internal:5:6`;
    expect(placeOf(error, '@sluice/registry')).to.equal(`${here}:30:40`);
    expect(placeOf(error, null)).to.equal(`${elsewhere}:1:2`);
    expect(placeOf(error, 'missing')).to.equal(`${elsewhere}:1:2`);
    error.stack = 'TypeError: a\n    at node:internal:5:6';
    expect(placeOf(error, null)).to.equal(null);
  });
});
