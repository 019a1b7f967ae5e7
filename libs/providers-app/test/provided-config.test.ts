import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isObject, jsonEqual, silentLogger, type Json } from '@sluice/base';
import { Reconciler, Runtime, noThreads } from '@sluice/reconciler';
import { anything, apps, ChangeHooks, defineModule, Registry } from '@sluice/registry';
import type { Fragment } from '../src/contract.ts';
import { ProvidedConfig } from '../src/provided-config.ts';

type Layer = (document: Json) => Json;

/** A reconciler that rejects routes containing `bad`, and servers with the address `busy`. */
class TestReconciler {
  readonly hooks = new ChangeHooks(silentLogger);
  changes = 0;
  effective: Json;
  readonly document: Json;

  constructor(document: Json, layer: Layer) {
    this.document = document;
    this.effective = layer(document);
  }

  change(_edit: unknown, { layer }: { layer: Layer }): Promise<void> {
    this.changes++;
    const next = layer(this.document);
    for (const [name, { listen, routes }] of Object.entries(serversOf(next))) {
      if (listen.includes('busy')) return Promise.reject(located(`apps.http.servers.${name}`));
      const bad = routes.findIndex((route) => isObject(route) && route['bad'] !== undefined);
      const where = isObject(routes[bad] ?? null) && (routes[bad] as { bad: string }).bad === 'where';
      if (bad >= 0)
        return Promise.reject(where ? located(`apps.http.servers.${name}.routes[${bad}]`) : new Error('bad'));
    }
    this.effective = next;
    return Promise.resolve();
  }
}

const brand = Symbol.for('sluice.error');

function located(where: string): Error {
  return Object.assign(new Error(`${where}: no`), { where, [brand]: true });
}

interface ServerShape {
  readonly listen: readonly string[];
  readonly routes: readonly Json[];
}

function serversOf(document: Json): Readonly<Record<string, ServerShape>> {
  return (document as unknown as { apps: { http: { servers: Record<string, ServerShape> } } }).apps.http.servers;
}

const document: Json = {
  apps: { http: { servers: { web: { listen: [':80'], routes: [] } } }, providers: { sources: { one: {}, two: {} } } },
};

function fragment(routes: readonly Json[], listen = ':80'): Fragment {
  return {
    object: `container ${JSON.stringify(routes)}`,
    config: { apps: { http: { servers: { s: { listen: [listen], routes } } } } },
  };
}

describe('ProvidedConfig', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sluice-providers-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  function open(): { provided: ProvidedConfig; reconciler: TestReconciler } {
    const provided = new ProvidedConfig(silentLogger, directory);
    const reconciler = new TestReconciler(document, provided.layer);
    provided.serve(reconciler as unknown as Reconciler);
    return { provided, reconciler };
  }

  const routesOf = ({ effective }: TestReconciler): readonly Json[] => serversOf(effective)['web']?.routes ?? [];

  it('ProvidedConfig.layer returns a document without providers unchanged', () => {
    const { provided } = open();
    const other = { apps: {} };
    expect(provided.layer(other)).to.equal(other);
  });

  it('ProvidedConfig.apply adds, replaces and removes fragments', async () => {
    const { provided, reconciler } = open();
    const added = new Map([
      ['b', fragment([{ n: 2 }])],
      ['a', fragment([{ n: 1 }])],
    ]);
    expect([...(await provided.apply('one', added))]).to.have.deep.members([
      ['a', null],
      ['b', null],
    ]);
    expect(routesOf(reconciler)).to.deep.equal([
      { '@id': 'one/a', n: 1 },
      { '@id': 'one/b', n: 2 },
    ]);
    await provided.apply(
      'one',
      new Map([
        ['a', null],
        ['b', fragment([{ n: 3 }])],
      ]),
    );
    expect(routesOf(reconciler)).to.deep.equal([{ '@id': 'one/b', n: 3 }]);
    expect(reconciler.changes).to.equal(2);
  });

  it('ProvidedConfig.apply ignores the removal of unknown fragments', async () => {
    const { provided, reconciler } = open();
    await provided.apply('one', new Map([['x', null]]));
    expect(reconciler.changes).to.equal(0);
  });

  it('ProvidedConfig.apply orders fragments by provider, rank and key', async () => {
    const { provided, reconciler } = open();
    await provided.apply('two', new Map([['z', fragment([{ '@id': 'z' }])]]));
    await provided.apply(
      'one',
      new Map([
        ['a', { ...fragment([{ '@id': 'a' }]), rank: '2' }],
        ['b', { ...fragment([{ '@id': 'b' }]), rank: '1' }],
      ]),
    );
    expect(routesOf(reconciler).map((each) => (each as { '@id': string })['@id'])).to.deep.equal(['b', 'a', 'z']);
  });

  it('ProvidedConfig.apply keeps the concurrent changes of two providers', async () => {
    const provided = new ProvidedConfig(silentLogger, directory);
    const names = ['http', 'providers'];
    const registry = new Registry().add(
      ...names.map((name) => defineModule(apps, { name, help: 'None.', config: anything(), provision: () => ({}) })),
    );
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const log = silentLogger;
    const reconciler = new Reconciler({
      registry,
      runtime,
      threads: noThreads,
      store: null,
      log,
      layer: provided.layer,
    });
    provided.serve(reconciler);
    await reconciler.load(document);
    await Promise.all(
      ['one', 'two'].map((name) => provided.apply(name, new Map([['a', fragment([{ '@id': name }])]]))),
    );
    expect(serversOf(reconciler.effective)['web']?.routes).to.deep.equal([{ '@id': 'one' }, { '@id': 'two' }]);
    await provided.close();
    await reconciler.close();
  });

  const stream = (listen: string, object = 'TCPRoute'): Fragment => ({
    object,
    config: { apps: { layer4: { servers: { s: { listen: [listen], routes: [{ object }] } } } } },
  });
  const appsOf = ({ effective }: TestReconciler): readonly (readonly string[])[] => {
    const { http, layer4 } = (
      effective as unknown as { apps: Record<string, { servers?: Record<string, ServerShape> }> }
    ).apps;
    return [http, layer4].map((app) => Object.values(app?.servers ?? {}).flatMap(({ listen }) => listen));
  };

  for (const isReversed of [false, true])
    it(`ProvidedConfig assigns an address to the first provider if two apps need the address (${isReversed ? 'last' : 'first'} to arrive)`, async () => {
      const { provided, reconciler } = open();
      const retried: string[] = [];
      provided.onRetry('two', (keys) => retried.push(...keys), new AbortController().signal);
      const steps = [
        () => provided.apply('one', new Map([['a', stream(':81')]])),
        () =>
          provided.apply(
            'two',
            new Map([
              ['b', fragment([{ n: 1 }], 'tcp/[::]:81')],
              ['c', fragment([{ n: 2 }], ':82')],
            ]),
          ),
      ];
      for (const step of isReversed ? steps.toReversed() : steps) await step();
      expect(appsOf(reconciler)).to.deep.equal([[':80', ':82'], [':81']]);
      const reason = ':81 is already used by the layer4 app for TCPRoute of provider one';
      expect([...provided.state('two').conflicts]).to.deep.equal([['b', reason]]);
      expect(retried).to.deep.equal(isReversed ? ['b'] : []);
      // The provider applies a rejected fragment again.
      expect((await provided.apply('two', new Map([['b', fragment([{ n: 1 }], 'tcp/[::]:81')]]))).get('b')).to.equal(
        reason,
      );
      await provided.apply('one', new Map([['a', null]]));
      expect(appsOf(reconciler)).to.deep.equal([[':80', 'tcp/[::]:81', ':82'], []]);
      expect(retried.at(-1)).to.equal('b');
      expect(provided.state('two').conflicts.size).to.equal(0);
    });

  it('ProvidedConfig assigns an address to the app in the document if two apps need the address', async () => {
    const { provided, reconciler } = open();
    const results = await provided.apply('one', new Map([['a', stream(':80')]]));
    expect(results.get('a')).to.equal(':80 is already used by the http app for the written configuration');
    expect(appsOf(reconciler)).to.deep.equal([[':80'], []]);
  });

  it('ProvidedConfig resolves a conflict when a server of the document is removed, and saves fragments even if they are inactive', async () => {
    const first = open();
    await first.provided.apply('one', new Map([['a', stream(':80')]]));
    await first.provided.close();
    const { provided, reconciler } = open();
    const retried: string[] = [];
    provided.onRetry('one', (keys) => retried.push(...keys), new AbortController().signal);
    const change = (next: Json): void =>
      reconciler.hooks.committed.call({ document: next } as Parameters<typeof reconciler.hooks.committed.call>[0]);
    change(document);
    expect(provided.state('one').conflicts.size).to.equal(1);
    change({ apps: { providers: { sources: { one: {}, two: {} } } } });
    expect(provided.state('one').conflicts.size).to.equal(0);
    expect(retried).to.deep.equal(['a', 'a']);
  });

  for (const bad of ['where', 'anywhere'])
    it(`ProvidedConfig.apply rejects only invalid fragments (error: ${bad})`, async () => {
      const { provided, reconciler } = open();
      const good = Array.from({ length: 20 }, (_, n) => [`good${n}`, fragment([{ n }])] as const);
      const changes = new Map([...good, ['bad1', fragment([{ bad }])], ['bad2', fragment([{ bad }])]]);
      const results = await provided.apply('one', changes);
      expect([...results].filter(([, error]) => error !== null).map(([key]) => key)).to.have.members(['bad1', 'bad2']);
      expect(results.size).to.equal(22);
      expect(routesOf(reconciler)).to.have.length(20);
      const { rejected } = provided.state('one');
      expect([...rejected.keys()]).to.have.members(['bad1', 'bad2']);
      await provided.apply(
        'one',
        new Map([
          ['bad1', fragment([{ ok: 1 }])],
          ['bad2', null],
        ]),
      );
      expect(rejected.size).to.equal(0);
      expect(routesOf(reconciler)).to.have.length(21);
    });

  it('ProvidedConfig.apply returns an error with the position in the fragment', async () => {
    const { provided } = open();
    await provided.apply('one', new Map([['a', fragment([{ n: 1 }])]]));
    const results = await provided.apply('one', new Map([['b', fragment([{ n: 2 }, { bad: 'where' }])]]));
    expect(results.get('b')).to.equal('routes[1]: no');
  });

  it('ProvidedConfig.apply removes the previous version of a rejected fragment', async () => {
    const { provided, reconciler } = open();
    await provided.apply('one', new Map([['a', fragment([{ n: 1 }])]]));
    await provided.apply('one', new Map([['a', fragment([{ bad: 'where' }])]]));
    expect(routesOf(reconciler)).to.deep.equal([]);
  });

  it('ProvidedConfig.apply rejects a fragment whose server cannot listen', async () => {
    const { provided, reconciler } = open();
    const changes = new Map([
      ['a', fragment([{ n: 1 }], 'busy')],
      ['b', fragment([{ n: 2 }])],
    ]);
    expect((await provided.apply('one', changes)).get('b')).to.equal(null);
    expect([...provided.state('one').rejected.keys()]).to.deep.equal(['a']);
    expect(routesOf(reconciler)).to.have.length(1);
  });

  it('ProvidedConfig restores saved fragments from a file with owner-only permissions', async () => {
    const first = open();
    await first.provided.apply('one', new Map([['a', { ...fragment([{ n: 1 }]), rank: '5' }]]));
    await first.provided.close();
    expect(statSync(join(directory, 'one.json')).mode & 0o777).to.equal(0o600);
    const second = open();
    expect(second.reconciler.effective).to.deep.equal(first.reconciler.effective);
    expect(second.provided.state('one').applied.get('a')?.rank).to.equal('5');
  });

  it('ProvidedConfig ignores an invalid state file', async () => {
    const first = open();
    await first.provided.apply('one', new Map([['a', fragment([{ n: 1 }])]]));
    await first.provided.close();
    const file = join(directory, 'one.json');
    writeFileSync(file, `${readFileSync(file, 'utf8').slice(0, -10)}\n`);
    expect(routesOf(open().reconciler)).to.deep.equal([]);
  });

  it('ProvidedConfig appends changes to the state file, and ignores an incomplete line', async () => {
    const file = join(directory, 'one.json');
    const save = async (changes: ReadonlyMap<string, Fragment | null>): Promise<string> => {
      const { provided } = open();
      await provided.apply('one', changes);
      await provided.close();
      return readFileSync(file, 'utf8');
    };
    const all = Array.from({ length: 300 }, (_, n) => [`k${n}`, fragment([{ n }])] as const);
    const before = await save(new Map(all));
    const changes = new Map([
      ['k1', null],
      ['k2', fragment([{ n: -2 }])],
    ]);
    const after = await save(changes);
    expect(after.startsWith(before)).to.equal(true);
    expect(after.slice(before.length).split('\n')).to.have.length(3);
    const routes = routesOf(open().reconciler);
    expect(routes).to.have.length(299);
    expect(routes).to.deep.include({ '@id': 'one/k2', n: -2 });
    writeFileSync(file, after.slice(0, -10));
    expect(routesOf(open().reconciler)).to.deep.include({ '@id': 'one/k2', n: 2 });
    expect((await save(new Map([['k3', null]]))).split('\n')).to.have.length(299);
  });

  it('ProvidedConfig replaces a state file with many outdated lines', async () => {
    const { provided } = open();
    for (let n = 0; n < 1000; n++) {
      await provided.apply('one', new Map([['a', fragment([{ n }])]]));
      await provided.close();
    }
    expect(readFileSync(join(directory, 'one.json'), 'utf8').split('\n')).to.have.length.below(300);
    expect(routesOf(open().reconciler)).to.deep.equal([{ '@id': 'one/a', n: 999 }]);
  });

  it('ProvidedConfig reaches the same state as after a fresh start, for random changes (property)', async () => {
    let seed = 1;
    const random = (limit: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    for (let run = 0; run < 50; run++) {
      const { provided, reconciler } = open();
      const wanted = { one: new Map<string, Fragment>(), two: new Map<string, Fragment>() };
      for (let step = 0; step < 20; step++) {
        const name = random(2) === 0 ? 'one' : 'two';
        const changes = new Map<string, Fragment | null>();
        for (let n = random(4); n >= 0; n--) {
          const key = `k${random(8)}`;
          const kind = random(5);
          const routes = kind === 1 ? [{ bad: random(2) === 0 ? 'where' : 'x' }] : [{ n: random(3) }];
          changes.set(key, kind === 0 ? null : fragment(routes, random(6) === 0 ? ':81' : ':80'));
        }
        for (const [key, each] of changes) {
          if (each === null) wanted[name].delete(key);
          else wanted[name].set(key, each);
        }
        await provided.apply(name, changes);
      }
      rmSync(directory, { recursive: true, force: true });
      const fresh = open();
      for (const name of ['one', 'two'] as const) await fresh.provided.apply(name, wanted[name]);
      expect(jsonEqual(reconciler.effective, fresh.reconciler.effective), `run ${run}`).to.equal(true);
      await provided.close();
      await fresh.provided.close();
      rmSync(directory, { recursive: true, force: true });
    }
    directory = mkdtempSync(join(tmpdir(), 'sluice-providers-'));
  });
});
