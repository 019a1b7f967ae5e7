import { expect } from 'chai';
import { formatWhere, type Json } from '@sluice/base';
import {
  apps,
  defineModule,
  inlineModule,
  inlineModuleMap,
  inlineModules,
  KnownModule,
  list,
  map,
  moduleMap,
  moduleSets,
  namespace,
  options,
  Registry,
} from '@sluice/registry';
import { readConfiguration } from '../../src/lint/configuration.ts';

const parts = namespace<object>('test.parts');

describe('readConfiguration', () => {
  const loaded: string[] = [];
  let registry: Registry;
  beforeEach(() => {
    loaded.length = 0;
    const host = defineModule(apps, {
      name: 'host',
      help: 'Has parts wherever they can be.',
      config: options({
        one: inlineModule('A part.', parts, 'kind'),
        some: inlineModules('Parts.', parts, 'kind'),
        named: inlineModuleMap('Parts by name.', parts, 'kind'),
        map: moduleMap('Parts by their modules.', parts),
        sets: moduleSets('Sets of parts.', parts),
        below: map(
          'Further down.',
          options({ inner: list('More.', options({ one: inlineModule('A part.', parts, 'kind') })) }),
        ),
      }),
      provision: () => ({}),
    });
    const part = (name: string): KnownModule =>
      new KnownModule({
        namespace: parts.id,
        name,
        load: async () => {
          loaded.push(name);
          return defineModule(parts, {
            name,
            help: 'A part, maybe with another one in it.',
            config: options({ inner: inlineModule('A part.', parts, 'kind') }),
            provision: () => ({}),
          });
        },
      });
    registry = new Registry().add(host);
    for (const name of ['a', 'b', 'c']) registry.add(part(name));
  });
  const idsAndPlaces = async (document: Json): Promise<readonly string[]> =>
    (await readConfiguration(registry, document)).modules.map(({ id, path }) => `${id} at ${formatWhere(path)}`);

  it('readConfiguration finds modules in all kinds of locations', async () => {
    const found = await idsAndPlaces({
      apps: {
        host: {
          one: { kind: 'a' },
          some: [{ kind: 'a' }, { kind: 'b' }],
          named: { x: { kind: 'a' }, '@id': 'y' },
          map: { b: {}, '@id': 'z' },
          sets: [{ a: {} }, { b: {}, a: null }],
          below: { k: { inner: [{ one: { kind: 'a' } }] } },
        },
      },
    });
    expect(found).to.have.members([
      'host at apps.host',
      'test.parts.a at apps.host.one',
      'test.parts.a at apps.host.some[0]',
      'test.parts.b at apps.host.some[1]',
      'test.parts.a at apps.host.named.x',
      'test.parts.b at apps.host.map.b',
      'test.parts.a at apps.host.sets[0].a',
      'test.parts.b at apps.host.sets[1].b',
      'test.parts.a at apps.host.sets[1].a',
      'test.parts.a at apps.host.below.k.inner[0].one',
    ]);
    // Only the code of modules in use is loaded, and only once.
    expect(loaded.toSorted()).to.deep.equal(['a', 'b']);
  });

  it('LintedModule.parent is the enclosing module at any depth', async () => {
    const document = { apps: { host: { one: { kind: 'a', inner: { kind: 'b', inner: { kind: 'a' } } } } } };
    const { modules } = await readConfiguration(registry, document);
    const chain: string[] = [];
    for (let each = modules.at(-1) ?? null; each !== null; each = each.parent) chain.push(each.id);
    expect(chain).to.deep.equal(['test.parts.a', 'test.parts.b', 'test.parts.a', 'host']);
    expect(modules.at(-1)?.node).to.equal(document.apps.host.one.inner.inner);
  });

  it('readConfiguration includes unknown modules, and skips values that are not modules', async () => {
    const host = { one: { kind: 'x', inner: { kind: 'a' } }, some: [{}, { kind: 3 }, 7, null], map: [], named: 'no' };
    expect(await idsAndPlaces({ apps: { host, other: {} } })).to.have.members([
      'host at apps.host',
      'test.parts.x at apps.host.one',
      'other at apps.other',
    ]);
    for (const document of [null, [], 'text', {}, { apps: null }, { apps: [] }])
      expect(await idsAndPlaces(document)).to.deep.equal([]);
  });

  it('LintedConfiguration returns values, modules by ID, and cached results', async () => {
    const document = { apps: { host: { some: [{ kind: 'a' }, { kind: 'b' }, { kind: 'a' }] } } };
    const configuration = await readConfiguration(registry, document);
    expect(configuration.valueAt(['apps', 'host', 'some', '1', 'kind'])).to.equal('b');
    expect(configuration.valueAt(['apps', 'none', 'some'])).to.equal(undefined);
    expect(configuration.modulesOf('test.parts.a').map(({ path }) => path.at(-1))).to.deep.equal(['0', '2']);
    expect(configuration.modulesOf('test.parts.c')).to.deep.equal([]);
    expect([...configuration.ids]).to.have.members(['host', 'test.parts.a', 'test.parts.b']);
    let worked = 0;
    const workOut = (): number => ++worked;
    expect([configuration.remember(workOut), configuration.remember(workOut)]).to.deep.equal([1, 1]);
    expect(configuration.remember(() => undefined)).to.equal(undefined);
  });
});
