import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { Runtime } from '@sluice/engine';
import { appToken, apps, defineModule, options, Registry } from '@sluice/registry';

describe('the instance of a module', () => {
  /** What an app is when its provision gives a value. */
  async function instanceOf(provision: () => unknown): Promise<unknown> {
    const registry = new Registry().add(
      defineModule(apps, { name: 'app', help: 'Anything.', config: options({}), provision }),
    );
    const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
    try {
      runtime.commit(await runtime.prepare({ apps: { app: {} } }));
      return runtime.app(appToken('app'));
    } finally {
      await runtime.close();
    }
  }

  const record = { then: 3 };
  for (const value of [null, 0, '', false, record, Math.max])
    it(`is what its provision gives at once: ${String(value)}`, async () => {
      expect(await instanceOf(() => value)).to.equal(value);
    });

  it('is nothing where the provision gives nothing', async () => {
    expect(await instanceOf(() => undefined)).to.equal(null);
  });

  it('is what its provision promises, by any object that is thenable', async () => {
    expect(await instanceOf(async () => record)).to.equal(record);
    const later = {
      then: (resolve: (value: unknown) => void): void => {
        setImmediate(resolve, record);
      },
    };
    expect(await instanceOf(() => later)).to.equal(record);
  });

  it('is not there where the provision fails, at once or later', async () => {
    const failure = (provision: () => unknown): Promise<unknown> =>
      instanceOf(provision).catch((error: unknown) => (error as Error).message);
    expect(
      await failure(() => {
        throw new Error('at once');
      }),
    ).to.equal('apps.app: at once');
    expect(await failure(() => Promise.reject(new Error('later')))).to.equal('apps.app: later');
  });
});
