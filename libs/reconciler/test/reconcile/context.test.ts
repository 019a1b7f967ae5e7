import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createLogger, silentLogger, type Json, type JsonObject, type LogEntry } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';
import {
  appToken,
  apps,
  defineModule,
  KnownModule,
  namespace,
  Registry,
  token,
  Type,
  type Context,
} from '@sluice/registry';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const things = namespace<string>('test.things');
const nothing = namespace<string>('test.nothing');
const anything = Type.Unsafe<JsonObject>({ type: 'object' });

describe('Context', () => {
  const entries: LogEntry[] = [];
  /** Previous module instances by configuration path. */
  const earlier: unknown[] = [];
  /** Provision function of the test app. It creates the instance stored in `result`. */
  let provision: (config: JsonObject, context: Context) => unknown = () => ({});
  let registry: Registry;
  let runtime: Runtime;
  const service = token<string>('service');

  beforeEach(() => {
    entries.length = 0;
    earlier.length = 0;
    registry = new Registry()
      .add(
        defineModule(apps, {
          name: 'app',
          help: 'What the test says.',
          config: anything,
          provision: async (config, context) => ({ result: await provision(config, context) }),
        }),
      )
      .add(
        defineModule(apps, {
          name: 'other',
          help: 'Another app.',
          config: anything,
          provision: () => ({ name: 'other' }),
        }),
      )
      .add(
        defineModule(things, {
          name: 'thing',
          help: 'Says where it is.',
          config: anything,
          provision: (config, context) => {
            context.log.info('a thing');
            earlier.push([context.previous, context.previousConfig]);
            if (config['bad'] === true) throw context.error('bad', 'bad');
            return `${context.where('x', 0)} in ${context.unit} with ${JSON.stringify(config)}`;
          },
        }),
      );
    registry.add(
      defineModule(things, {
        name: 'else',
        help: 'Stands where a thing stood.',
        config: anything,
        provision: () => 'else',
      }),
    );
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const services = new Map([[service, 'of the thread']]);
    runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log, services });
  });
  afterEach(() => runtime.close());

  const commit = async (config: Json): Promise<unknown> => {
    runtime.commit(await runtime.prepare({ apps: { app: config } }));
    return runtime.app(appToken<{ result: unknown }>('app'))?.result;
  };
  const failure = (config: Json): Promise<string> =>
    runtime.prepare({ apps: { app: config } }).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );

  it('Context provides the configuration path and the unit', async () => {
    provision = (_, context) => [context.where(), context.where('a', 3, 'b'), context.unit, context.roles];
    expect(await commit({})).to.deep.equal([
      'apps.app',
      'apps.app.a[3].b',
      'apps/app',
      { control: true, traffic: false },
    ]);
  });

  it('Context loads inline modules, named modules, maps and lists, and omits their names and IDs', async () => {
    const node = { kind: 'thing', '@id': 'i', a: 1 };
    provision = async (_, context) => [
      await context.loadInline(things, node, 'kind', 'one'),
      await context.loadNamed(things, 'thing', node, 'two'),
      [...(await context.loadMap(things, { '@id': 'x', thing: { b: 2 } }, 'three'))],
      await context.loadInlineList(things, [node, node], 'kind', 'four'),
    ];
    expect(await commit({})).to.deep.equal([
      'apps.app.one.x[0] in apps/app with {"a":1}',
      'apps.app.two.x[0] in apps/app with {"kind":"thing","a":1}',
      [['thing', 'apps.app.three.thing.x[0] in apps/app with {"b":2}']],
      ['apps.app.four[0].x[0] in apps/app with {"a":1}', 'apps.app.four[1].x[0] in apps/app with {"a":1}'],
    ]);
    expect(entries.map(({ logger }) => logger)).to.deep.equal(Array(5).fill('test.things.thing'));
  });

  const refused: [node: Json, message: string][] = [
    [7, 'apps.app.at: expected an object with a module name in "kind", not a number'],
    [[], 'apps.app.at: expected an object with a module name in "kind", not an array'],
    [{}, 'apps.app.at: module name of test.things is missing: set "kind"'],
    [{ kind: '' }, 'apps.app.at: module name of test.things is missing: set "kind"'],
    [{ kind: 3 }, 'apps.app.at: module name of test.things is missing: set "kind"'],
    [{ kind: 'no' }, 'apps.app.at: unknown module: test.things.no; test.things has else, thing'],
    [
      { kind: 'thng' },
      'apps.app.at: unknown module: test.things.thng; did you mean thing? test.things has else, thing',
    ],
    [{ kind: 'thing', bad: true }, 'apps.app.at.bad: bad'],
  ];
  for (const [node, message] of refused) {
    it(`Context rejects ${JSON.stringify(node)} as a module`, async () => {
      provision = (_, context) => context.loadInline(things, node, 'kind', 'at');
      expect(await failure({})).to.equal(message);
    });
  }

  it('Context reports why a module of an installed package is unavailable', async () => {
    registry.addUnavailable(['test.things.old'], 'it requires another version');
    provision = (_, context) => context.loadInline(things, { kind: 'old' }, 'kind', 'at');
    expect(await failure({})).to.equal(
      'apps.app.at: module test.things.old is not available: it requires another version',
    );
  });

  it('Context rejects null options and reports their path, and rejects a module of an empty namespace', async () => {
    provision = (_, context) => context.loadNamed(things, 'thing', null, 'at');
    expect(await failure({})).to.match(/^apps\.app\.at: /);
    provision = (_, context) => context.loadNamed(nothing, 'a', {}, 'at');
    expect(await failure({})).to.equal('apps.app.at: unknown module: test.nothing.a; test.nothing has no module');
  });

  it('Context.use returns the value of the nearest enclosing module, and otherwise the value of the thread', async () => {
    const own = token<string>('own');
    provision = (_, context) => {
      const before = [context.find(service), context.find(own)];
      context.provide(service, 'of the app');
      context.provide(own, 'mine');
      return context.structure({}, (_node, inner) => [...before, inner.use(service), inner.find(own)], 'inner');
    };
    expect(await commit({})).to.deep.equal(['of the thread', undefined, 'of the app', 'mine']);
    provision = (_, context) => context.use(own);
    expect(await failure({ again: 1 })).to.equal('apps.app: requires own, which no enclosing module provides');
  });

  it('Context.app, appIfConfigured and appIfRegistered return other apps', async () => {
    const other = appToken<{ name: string }>('other');
    const missing = appToken<string>('missing');
    provision = async (_, context) => [
      await context.appIfConfigured(other),
      await context.appIfRegistered(missing),
      await context.appIfRegistered(other),
      await context.app(other),
    ];
    expect(await commit({})).to.deep.equal([null, null, { name: 'other' }, { name: 'other' }]);
    provision = (_, context) => context.app(missing);
    expect(await failure({ again: 1 })).to.match(/missing/);
    provision = (_, context) => context.appIfConfigured(other);
    runtime.commit(await runtime.prepare({ apps: { app: { third: 1 }, other: {} } }));
    expect(runtime.app(appToken('app'))).to.deep.equal({ result: { name: 'other' } });
  });

  it('Context.previous returns the instance that is being replaced', async () => {
    const seen: unknown[] = [];
    provision = (config, context) => {
      seen.push([context.previous, context.previousConfig]);
      return config['n'];
    };
    await commit({ n: 1 });
    await commit({ n: 2 });
    expect(seen).to.deep.equal([
      [null, undefined],
      [{ result: 1 }, { n: 1 }],
    ]);
  });

  it('Context.previous returns the replaced instance of the same module within an app', async () => {
    provision = (config, context) => context.loadInline(things, config['at'] as Json, 'kind', 'at');
    await commit({ at: { kind: 'thing', n: 1 } });
    await commit({ at: { kind: 'thing', n: 2 } });
    await commit({ at: { kind: 'else' } });
    await commit({ at: { kind: 'thing', n: 3 } });
    expect(earlier.map((each) => (each as unknown[])[1])).to.deep.equal([
      undefined,
      { kind: 'thing', n: 1 },
      undefined,
    ]);
  });

  it('Context.provisioning is true until the configuration is built', async () => {
    const seen: boolean[] = [];
    let kept: Context | null = null;
    provision = (_, context) => {
      kept = context;
      seen.push(context.provisioning);
      context.onStart(() => void seen.push(context.provisioning));
      context.onCommit(() => void seen.push(context.provisioning));
      return {};
    };
    await commit({});
    expect([seen[0], (kept as Context | null)?.provisioning]).to.deep.equal([true, false]);
    expect(seen).to.have.length(3);
  });

  /** Returns the indexes of the instances that garbage collection does not free. */
  const held = async (instances: readonly WeakRef<object>[]): Promise<number[]> => {
    await runtime.settled();
    await turn();
    collect();
    return instances.flatMap((instance, i) => (instance.deref() === undefined ? [] : [i]));
  };
  /** Returns an instance that retains its context. */
  const keeper = (context: Context): object => ({ where: () => context.where() });

  it('a module that keeps its context does not keep the replaced instance alive', async () => {
    const instances: WeakRef<object>[] = [];
    provision = (_, context) => {
      const instance = keeper(context);
      instances.push(new WeakRef(instance));
      return instance;
    };
    for (let i = 0; i < 5; i++) await commit({ i });
    expect(await held(instances)).to.deep.equal([4]);
  });

  it('a reused component that stores its context does not prevent garbage collection of old configurations', async () => {
    const around: WeakRef<object>[] = [];
    const part = { stays: true };
    const provisionPart = (_: JsonObject, context: Context): object => keeper(context);
    provision = async (config, context) => {
      const instance = { config, part: await context.structure(part, provisionPart, 'part') };
      around.push(new WeakRef(instance), new WeakRef(config));
      return instance;
    };
    for (let i = 0; i < 3; i++) await commit({ i });
    expect(await held(around)).to.deep.equal([4, 5]);
    const { part: kept } = (await commit({ i: 3 })) as { part: { where: () => string } };
    expect(kept.where()).to.equal('apps.app.part');
  });

  it('Context.provisioning is false after the configuration has been dropped', async () => {
    const kept: Context[] = [];
    provision = (_, context) => (kept.push(context), {});
    const candidate = await runtime.prepare({ apps: { app: {} } });
    expect(kept[0]?.provisioning).to.equal(true);
    await runtime.abort(candidate);
    expect(kept[0]?.provisioning).to.equal(false);
  });

  it('Context reports the package of a module whose code cannot be loaded', async () => {
    for (const [origin, message] of [
      [
        { package: '@team/parts', version: '1.0.0', standard: false },
        'apps.app: module app cannot be loaded: gone (package @team/parts)',
      ],
      [{ package: null, version: null, standard: true }, 'apps.app: module app cannot be loaded: gone'],
    ] as const) {
      const broken = new KnownModule({ namespace: '', name: 'app', load: () => Promise.reject(new Error('gone')) });
      const registry = new Registry().use((each) => void each.add(broken), origin);
      const roles = { control: true, traffic: false };
      const other = new Runtime({ registry, roles, log: silentLogger, services: new Map() });
      const failed = await other.prepare({ apps: { app: {} } }).catch((error: unknown) => error);
      expect(failed).to.include({ message });
      await other.close();
    }
  });

  it('Context calls the hooks for start, commit, leave, retire and dispose', async () => {
    const life: string[] = [];
    provision = ({ n }, context) => {
      const note = (what: string) => (): void => void life.push(`${what} ${String(n)}`);
      context.onStart(note('start'));
      context.onCommit(note('commit'));
      context.onLeave(async () => note('leave')());
      context.onRetire(note('retire'));
      context.onDispose(note('dispose'));
      return {};
    };
    const apply = async (apps: JsonObject): Promise<void> => {
      const candidate = await runtime.prepare({ apps });
      await runtime.leave(candidate);
      life.push('swap');
      runtime.commit(candidate);
      await runtime.settled();
    };
    await apply({ app: { n: 1 } });
    expect(life.splice(0)).to.deep.equal(['start 1', 'swap', 'commit 1']);
    await apply({ app: { n: 2 } });
    expect(life.splice(0, 2)).to.deep.equal(['start 2', 'swap']);
    expect(life.splice(0)).to.have.members(['commit 2', 'retire 1', 'dispose 1']);
    await apply({});
    expect(life.splice(0)).to.deep.equal(['leave 2', 'swap', 'retire 2', 'dispose 2']);
    await runtime.abort(await runtime.prepare({ apps: { app: { n: 3 } } }));
    expect(life.splice(0)).to.deep.equal(['start 3', 'dispose 3']);
  });

  it('Context reports and releases a module that fails to start', async () => {
    let disposed = 0;
    provision = (_, context) => {
      context.onDispose(() => void disposed++);
      context.onStart(() => Promise.reject(new Error('the port is taken')));
      return {};
    };
    expect(await failure({})).to.equal('apps.app: the port is taken');
    expect(disposed).to.equal(1);
  });
});
