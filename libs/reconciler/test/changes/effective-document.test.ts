import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { Reconciler, noThreads, Runtime, type Transition } from '@sluice/reconciler';
import { appToken, apps, defineModule, Registry, type LayeredChange } from '@sluice/registry';
import { Type } from 'typebox';

describe('Reconciler with an overlay', () => {
  const provisioned: unknown[] = [];
  const asked: Transition[] = [];
  const joined: Json[] = [];
  const app = (name: string) =>
    defineModule(apps, {
      name,
      help: 'Takes anything.',
      config: Type.Record(Type.String(), Type.Unknown()),
      provision: (config) => {
        provisioned.push([name, config]);
        return { config };
      },
    });
  const view = (document: Json): Json => {
    const { apps: own = {}, over = {} } = (document ?? {}) as { apps?: object; over?: object };
    return { apps: { ...own, b: { ...over } } };
  };

  it('Reconciler sends changes of the overlaid document to the threads, and shows clients the document without the overlay', async () => {
    const registry = new Registry().add(app('a'), app('b'));
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const threads = {
      ...noThreads,
      prepare: async (transition: Transition) => void asked.push(transition),
      joined: (document: Json) => void joined.push(document),
    };
    const reconciler = new Reconciler({ registry, runtime, threads, store: null, log: silentLogger, view });
    const shared = { apps: { a: { n: 1 } }, over: { x: 1 } };
    await reconciler.load(shared);
    expect(reconciler.document).to.deep.equal(shared);
    expect(joined).to.deep.equal([{ apps: { a: { n: 1 }, b: { x: 1 } } }]);
    expect(reconciler.app(appToken<{ config: unknown }>('b'))?.config).to.deep.equal({ x: 1 });
    provisioned.length = 0;
    await reconciler.load({ apps: { a: { n: 2 } }, over: { x: 1 } });
    expect(asked[1]?.operations).to.deep.equal([{ op: 'replace', path: '/apps/a/n', value: 2 }]);
    // Unchanged parts of the overlay must be kept.
    expect(provisioned).to.deep.equal([['a', { n: 2 }]]);
    await reconciler.load({ apps: { a: { n: 2 } }, over: { x: 2 } });
    expect(asked[2]?.operations).to.deep.equal([{ op: 'replace', path: '/apps/b/x', value: 2 }]);
    const { report } = await reconciler.load({ apps: { a: { n: 2 } }, over: { x: 3 } }, { dryRun: true });
    expect(report?.rebuilt.map(({ path }) => path)).to.deep.equal(['apps.b']);
    await reconciler.close();
  });

  it('Reconciler applies a variant of a document until the variant is removed, and keeps the variant if its replacement is rejected', async () => {
    const picky = defineModule(apps, {
      name: 'picky',
      help: 'Takes no number above 5.',
      config: Type.Object({ n: Type.Number() }),
      provision(config, context) {
        if (config.n > 5) throw context.error('too much');
        return config;
      },
    });
    const registry = new Registry().add(picky);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const own = (document: Json): Json => ({ apps: (document as { apps: Json }).apps });
    const reconciler = new Reconciler({
      registry,
      runtime,
      threads: noThreads,
      store: null,
      log: silentLogger,
      view: own,
    });
    const shared = { apps: { picky: { n: 1 } } };
    const with5 = (): Json => ({ apps: { picky: { n: 5 } } });
    const has = (): unknown => reconciler.app(appToken<{ n: number }>('picky'))?.n;
    await reconciler.load(shared);
    expect((await reconciler.change((document) => document, { variant: with5 })).changed).to.equal(true);
    expect([reconciler.document, reconciler.effective, has()]).to.deep.equal([shared, with5(), 5]);
    const refused = await reconciler
      .change((document) => document, { variant: () => ({ apps: { picky: { n: 6 } } }) })
      .catch((error: unknown) => error);
    expect(refused).to.have.property('message').that.includes('too much');
    await reconciler.load({ apps: { picky: { n: 2 } } });
    expect(has()).to.equal(5);
    await reconciler.change((document) => document, { variant: null });
    expect(has()).to.equal(2);
    expect(reconciler.effective).to.deep.equal({ apps: { picky: { n: 2 } } });
    await reconciler.close();
  });

  it('Reconciler merges a layer into the effective configuration without changing the document, and keeps the previous layer if the new layer is rejected', async () => {
    const any = app('a');
    const registry = new Registry().add(any, app('b'));
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const threads = { ...noThreads, prepare: async (transition: Transition) => void asked.push(transition) };
    const withB =
      (n: number) =>
      (document: Json): Json => {
        const { apps: own } = document as { apps: object };
        return { apps: { ...own, ...(n > 5 ? { unknown: {} } : { b: { n } }) } };
      };
    const reconciler = new Reconciler({ registry, runtime, threads, store: null, log: silentLogger, layer: withB(1) });
    await reconciler.load({ apps: { a: { x: 1 } } });
    expect(reconciler.effective).to.deep.equal({ apps: { a: { x: 1 }, b: { n: 1 } } });
    const layered: LayeredChange[] = [];
    reconciler.hooks.layered.tap('test', (change) => void layered.push(change));
    const { revision } = reconciler;
    const { length } = reconciler.history.entries;
    provisioned.length = 0;
    asked.length = 0;
    const { changed } = await reconciler.change((document) => document, { layer: withB(2) });
    expect(changed).to.equal(true);
    expect(asked[0]?.operations).to.deep.equal([{ op: 'replace', path: '/apps/b/n', value: 2 }]);
    expect(provisioned).to.deep.equal([['b', { n: 2 }]]);
    expect(reconciler.document).to.deep.equal({ apps: { a: { x: 1 } } });
    expect([reconciler.revision, reconciler.history.entries.length]).to.deep.equal([revision, length]);
    const failed = await reconciler.change((document) => document, { layer: withB(6) }).catch(() => 'rejected');
    expect(failed).to.equal('rejected');
    expect(layered).to.deep.equal([{ origin: 'api', operations: asked[0]?.operations }]);
    await reconciler.load({ apps: { a: { x: 2 } } });
    expect(reconciler.effective).to.deep.equal({ apps: { a: { x: 2 }, b: { n: 2 } } });
    await reconciler.close();
  });
});
