import { expect } from 'chai';
import { createLogger, messageOf, silentLogger } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';
import { appToken, apps, defineModule, namespace, options, Registry, type Context } from '@sluice/registry';

describe('runProvision and module instances', () => {
  /** Returns the instance created by an app with the given provision function. */
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
    it(`runProvision uses the synchronous result as the instance: ${String(value)}`, async () => {
      expect(await instanceOf(() => value)).to.equal(value);
    });

  it('runProvision uses undefined as the instance if the provision returns nothing', async () => {
    expect(await instanceOf(() => undefined)).to.equal(null);
  });

  it('runProvision uses the resolved value of any thenable as the instance', async () => {
    expect(await instanceOf(async () => record)).to.equal(record);
    const later = {
      then: (resolve: (value: unknown) => void): void => {
        setImmediate(resolve, record);
      },
    };
    expect(await instanceOf(() => later)).to.equal(record);
  });

  it('runProvision creates no instance if provisioning fails, synchronously or asynchronously', async () => {
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

/** A runtime with one app and its log. The test defines the app's provision and start functions. */
class Bounded {
  readonly runtime: Runtime;
  readonly logged: string[] = [];
  provision: (context: Context) => unknown = () => ({});

  constructor() {
    const inner = defineModule(things, {
      name: 'inner',
      help: 'Inside.',
      config: options({}),
      provision: (_config, context) => this.provision(context),
    });
    const outer = defineModule(apps, {
      name: 'outer',
      help: 'Has one.',
      config: options({}),
      async provision(_config, context) {
        return { inner: await context.loadNamed(things, 'inner', {}, 'inner') };
      },
    });
    const log = createLogger({
      enabled: () => true,
      write: ({ message, fields }) => void this.logged.push(`${message} ${messageOf(fields['error'])}`),
    });
    this.runtime = new Runtime({
      registry: new Registry().add(inner).add(outer),
      roles: { control: true, traffic: false },
      log,
      provisionTimeout: 40,
    });
  }

  /** Returns the reason why a configuration cannot be prepared, or `null` if it was committed. */
  async failure(provision: (context: Context) => unknown): Promise<string | null> {
    this.provision = provision;
    try {
      this.runtime.commit(await this.runtime.prepare({ apps: { outer: {} } }, true));
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

const things = namespace<unknown>('things');
const forever = (): Promise<never> => new Promise(() => {});
const tick = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

describe('runProvision with modules that never settle', () => {
  // Attack in docs/security.md: A module that never finishes loading, provisioning or starting.
  it('runProvision reports a provision timeout with the module, and the next change succeeds', async () => {
    const bounded = new Bounded();
    expect(await bounded.failure(forever)).to.equal(
      'apps.outer.inner: module things.inner did not finish its provision within 0.04 s; nothing was changed; check what the module waits for',
    );
    expect(await bounded.failure(() => ({}))).to.equal(null);
    await bounded.runtime.close();
  });

  it('runProvision reports a module whose start times out', async () => {
    const bounded = new Bounded();
    expect(await bounded.failure((context) => context.onStart(forever))).to.contain(
      'apps.outer.inner: module things.inner did not finish its start within 0.04 s',
    );
    await bounded.runtime.close();
  });

  // Attack in docs/security.md: A module that never finishes loading, provisioning or starting.
  it('runProvision immediately releases resources that a module acquires after a timeout', async () => {
    const bounded = new Bounded();
    const steps: string[] = [];
    await bounded.failure(async (context) => {
      context.onDispose(() => void steps.push('early'));
      await tick(120);
      context.onDispose(() => void steps.push('late'));
      steps.push('acquired');
    });
    expect(steps).to.deep.equal(['early']);
    await tick(120);
    expect(steps).to.deep.equal(['early', 'late', 'acquired']);
    await bounded.runtime.close();
  });

  it('runProvision does not count the time that a module waits for other modules', async () => {
    const bounded = new Bounded();
    const slow = async (context: Context): Promise<object> => {
      for (let i = 0; i < 4; i++) await context.structure({}, () => tick(25), i);
      return {};
    };
    expect(await bounded.failure(slow)).to.equal(null);
    await bounded.runtime.close();
  });
});

describe('runProvision with errors that throw when they are inspected', () => {
  const hostile = (): unknown =>
    new Proxy(new Error('hidden'), {
      get: () => {
        throw new Error('trap');
      },
      has: () => {
        throw new Error('trap');
      },
      getPrototypeOf: () => {
        throw new Error('trap');
      },
    });
  const withGetter = (): Error =>
    Object.defineProperty(new Error('hidden'), 'message', {
      get: () => {
        throw new Error('getter');
      },
    });

  for (const [title, make] of Object.entries({ 'a Proxy': hostile, 'an error with a getter': withGetter }))
    // Attack in docs/security.md: Error objects that throw when they are read, such as proxies and getters.
    it(`runProvision rejects the change if the properties of a thrown error cannot be read: ${title}`, async () => {
      const bounded = new Bounded();
      const steps: string[] = [];
      const provision = (context: Context): unknown => {
        context.onDispose(() => void steps.push('first'));
        context.onDispose(() => {
          throw make();
        });
        context.onDispose(() => Promise.reject(make()));
        throw make();
      };
      expect(await bounded.failure(provision)).to.contain('unreadable error thrown');
      expect(steps).to.deep.equal(['first']);
      expect(bounded.logged).to.have.length(2);
      expect(await bounded.failure((context) => context.onStart(() => Promise.reject(make())))).to.contain(
        'unreadable error thrown',
      );
      // After the commit, exceptions thrown while a module is disposed of have no further effect.
      const dropped = (context: Context): unknown => {
        context.onDispose(() => void steps.push('last'));
        context.onDispose(() => {
          throw make();
        });
        context.onRetire(() => {
          throw make();
        });
        return {};
      };
      expect(await bounded.failure(dropped)).to.equal(null);
      expect(await bounded.failure(() => ({}))).to.equal(null);
      await bounded.runtime.settled();
      expect(steps).to.deep.equal(['first', 'last']);
      await bounded.runtime.close();
    });

  it('runProvision rejects the change if the properties of an instance cannot be read', async () => {
    const bounded = new Bounded();
    expect(await bounded.failure(hostile)).to.equal('apps.outer.inner: trap');
    await bounded.runtime.close();
  });
});
