import { expect } from 'chai';
import { configError, silentLogger, type Json } from '@sluice/base';
import { DocumentSources, Reconciler, noThreads, replaceAt, Runtime } from '@sluice/reconciler';
import { apps, defineModule, Registry } from '@sluice/registry';
import { Type } from 'typebox';

describe('DocumentSources', () => {
  const app = defineModule(apps, {
    name: 'app',
    help: 'Refuses what is bad.',
    config: Type.Record(Type.String(), Type.Unknown()),
    provision: (config, context) => {
      for (const [key, value] of Object.entries(config))
        if (value === 'bad') throw configError(context.where(key), 'is bad');
      return {};
    },
  });
  const lines = ['a', 'b', 'c'];
  const adapted: Json = { apps: { app: { a: 'good', b: 'good', c: 'good' } } };
  const sources = new DocumentSources(adapted, {
    placeOf: (path) => ({ file: 'f', line: lines.indexOf(path[2] ?? '') + 1, column: 1 }),
  });
  let reconciler: Reconciler;
  beforeEach(() => {
    const registry = new Registry().add(app);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  });
  afterEach(() => reconciler.close());

  const errorOf = (change: Promise<unknown>): Promise<string> =>
    change.then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  const withValue = (value: string): Json => ({ apps: { app: { a: 'good', b: value, c: 'good' } } });

  it('DocumentSources adds the source location to errors', async () => {
    const bad = withValue('bad');
    const places = new DocumentSources(bad, { placeOf: () => ({ file: 'f', line: 2, column: 1 }) });
    expect(await errorOf(reconciler.load(bad, { sources: places }))).to.equal('apps.app.b (f:2): is bad');
    expect(await errorOf(reconciler.load(bad, { sources: places, dryRun: true }))).to.equal('apps.app.b (f:2): is bad');
    expect(await errorOf(reconciler.load(bad))).to.equal('apps.app.b: is bad');
  });

  it('DocumentSources keeps locations of values that clients do not change', async () => {
    await reconciler.load(adapted, { sources });
    const edit = (path: string[], value: Json): Promise<unknown> =>
      reconciler.change((document) => replaceAt(document, path, value));
    expect(await errorOf(edit(['apps', 'app', 'b'], 'bad'))).to.equal('apps.app.b: is bad');
    expect(sources.placeOf(['apps', 'app', 'b'], withValue('other'))).to.equal(null);
    expect(sources.placeOf(['apps', 'app', 'c'], withValue('other'))).to.include({ line: 3 });
    const report = await reconciler.change((document) => document, { dryRun: true });
    expect(report.report?.kept).to.deep.equal([{ id: 'app', path: 'apps.app', source: 'f:0' }]);
    await reconciler.load(withValue('other'));
    const later = await reconciler.change((document) => document, { dryRun: true });
    expect(later.report?.kept).to.deep.equal([{ id: 'app', path: 'apps.app' }]);
  });

  it('DocumentSources is replaced when an identical document is loaded, but not by a dry run', async () => {
    const placeOfApp = async (): Promise<string | undefined> =>
      (await reconciler.change((document) => document, { dryRun: true })).report?.kept[0]?.source;
    await reconciler.load(adapted);
    await reconciler.load(adapted, { sources, dryRun: true });
    expect(await placeOfApp()).to.equal(undefined);
    await reconciler.load(adapted, { sources });
    expect(await placeOfApp()).to.equal('f:0');
    await reconciler.load(adapted, { sources, dryRun: false });
    expect(await placeOfApp()).to.equal('f:0');
  });

  it('DocumentSources adds locations to findings and their related paths', () => {
    const finding = { check: 'c', severity: 'warning', message: 'is bad' } as const;
    const document = withValue('other');
    const [plain, related, unknown] = sources.inFindings(
      [
        { ...finding, path: 'apps.app.a' },
        {
          ...finding,
          path: 'apps.app.b',
          related: [
            { path: 'apps.app.c', message: 'see here' },
            { path: 'apps.app.b', message: 'and here' },
          ],
        },
        { ...finding, path: 'not a path' },
      ],
      document,
    );
    expect(plain).to.deep.equal({
      ...finding,
      path: 'apps.app.a',
      source: 'f:1',
      place: { file: 'f', line: 1, column: 1 },
    });
    expect(related).to.deep.equal({
      ...finding,
      path: 'apps.app.b',
      related: [
        { path: 'apps.app.c', message: 'see here', source: 'f:3', place: { file: 'f', line: 3, column: 1 } },
        { path: 'apps.app.b', message: 'and here' },
      ],
    });
    expect(unknown).to.deep.equal({ ...finding, path: 'not a path' });
  });

  it('DocumentSources returns the location of the closest ancestor for a value without a location', () => {
    const around = new DocumentSources(adapted, {
      placeOf: (path) => ({ file: path.join('/'), line: 1, column: 1 }),
    });
    for (const [path, place] of [
      ['apps.app.x', 'apps/app'],
      ['apps.app.x.y[0].z', 'apps/app'],
      ['apps.app.a.x', 'apps/app/a'],
      ['apps.x.a', 'apps'],
      ['x', ''],
    ] as const)
      expect(around.textOf(path, adapted), path).to.equal(`${place}:1`);
  });

  it('DocumentSources.all returns the locations of all values', () => {
    expect(Object.keys(sources.all())).to.deep.equal([
      '',
      '/apps',
      '/apps/app',
      '/apps/app/a',
      '/apps/app/b',
      '/apps/app/c',
    ]);
  });
});
