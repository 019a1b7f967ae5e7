import { expect } from 'chai';
import { createLogger, type LogEntry } from '@sluice/base';
import {
  appToken,
  apps,
  ChangeHooks,
  defineCheck,
  defineModule,
  moduleId,
  namespace,
  options,
  Registry,
  token,
  type ModuleDescriptor,
  type Namespace,
} from '@sluice/registry';
import { isModuleDescriptor } from '../../src/modules/descriptor.ts';

const parts = namespace<object>('test.parts');
const others = namespace<object>('test.parts.others');

function moduleOf(name: string, of: Namespace<object> = parts): ModuleDescriptor<object> {
  return defineModule(of, { name, help: `Help of ${name}.`, config: options({}), provision: () => ({ name }) });
}

describe('Registry', () => {
  const unknown = { package: null, version: null, standard: true };

  it('Registry finds modules by namespace and name', () => {
    const one = moduleOf('one');
    const registry = new Registry().add(one).add(moduleOf('one', others)).add(moduleOf('one', apps));
    expect(registry.find(parts, 'one')?.descriptor).to.equal(one);
    expect(registry.find(others, 'one')?.id).to.equal('test.parts.others.one');
    expect(registry.find(apps, 'one')?.id).to.equal('one');
    expect(registry.find(parts, 'two')).to.equal(undefined);
    expect(registry.find(apps, 'test.parts.one')?.name).to.equal('one');
  });

  it('Registry.list sorts modules by ID, and inNamespace excludes nested namespaces', () => {
    const registry = new Registry();
    for (const name of ['b', 'a', 'c']) registry.add(moduleOf(name)).add(moduleOf(name, others));
    expect(registry.inNamespace('test.parts').map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    expect(registry.inNamespace('test')).to.deep.equal([]);
    expect(registry.list().map(({ id }) => id)).to.deep.equal([
      'test.parts.a',
      'test.parts.b',
      'test.parts.c',
      'test.parts.others.a',
      'test.parts.others.b',
      'test.parts.others.c',
    ]);
  });

  it('Registry rejects a duplicate module, section or check, and keeps the first registration', () => {
    const [one, again] = [moduleOf('one'), moduleOf('one')];
    const registry = new Registry().add(one);
    expect(() => registry.add(again))
      .to.throw('module test.parts.one is already registered; two packages contribute the same ID')
      .with.property('code', 'ERR_MODULE_DUPLICATE');
    expect(registry.find(parts, 'one')?.descriptor).to.equal(one);

    registry.addSection(one);
    expect(() => registry.addSection(again))
      .to.throw('section one is already registered')
      .with.property('code', 'ERR_MODULE_DUPLICATE');
    expect([...registry.sections()]).to.deep.equal([['one', one]]);

    const check = defineCheck({ name: 'a', help: '', modules: [], check: () => {} });
    registry.addCheck(check).addCheck({ ...check, name: 'b' });
    expect(() => registry.addCheck({ ...check }))
      .to.throw('check a is already registered')
      .with.property('code', 'ERR_MODULE_DUPLICATE');
    expect(registry.checks().map(({ name }) => name)).to.deep.equal(['a', 'b']);
  });

  it('Registry.list does not include sections', () => {
    expect(new Registry().addSection(moduleOf('one', apps)).list()).to.deep.equal([]);
  });

  it('Registry.originOf returns the package of a module', () => {
    const origin = { package: 'a', version: '1.0.0', standard: false };
    const inner = { package: 'b', version: '2.0.0', standard: true };
    const registry = new Registry()
      .add(moduleOf('before'))
      .use(
        (all) =>
          void all
            .add(moduleOf('one'))
            .use((within) => void within.add(moduleOf('nested')), inner)
            .add(moduleOf('two')),
        origin,
      )
      .use((all) => void all.add(moduleOf('plain')))
      .add(moduleOf('after'));
    const from = (name: string) => registry.originOf(`test.parts.${name}`);
    expect(['one', 'two'].map(from)).to.deep.equal([origin, origin]);
    expect(from('nested')).to.equal(inner);
    expect(['before', 'plain', 'after', 'missing'].map(from)).to.deep.equal([unknown, unknown, unknown, unknown]);
  });

  it('Registry.originOf returns the correct package for modules added after another package failed', () => {
    const registry = new Registry();
    const failing = () => {
      throw new Error('broken package');
    };
    expect(() => registry.use(failing, { package: 'a', version: '1', standard: false })).to.throw('broken package');
    expect(registry.add(moduleOf('one')).originOf('test.parts.one')).to.deep.equal(unknown);
  });

  it('Registry provides hooks that packages can tap', () => {
    const registry = new Registry();
    const seen: unknown[] = [];
    registry.hooks.server.tap('test', (server) => void seen.push(server));
    registry.hooks.adminRoutes.tap('test', (routes) => void seen.push(routes));
    registry.hooks.commands.tap('test', (commands) => void seen.push(commands));
    const commands = { add: () => undefined };
    registry.hooks.commands.call(commands);
    expect(seen).to.deep.equal([commands]);
    expect(registry.hooks.adminRoutes.taps.map(({ name }) => name)).to.deep.equal(['test']);
    expect(registry.hooks.server.taps.map(({ name }) => name)).to.deep.equal(['test']);
    expect(new Registry().hooks.server.isUsed()).to.equal(false);
  });
});

describe('defineModule', () => {
  it('defineModule returns a frozen descriptor with the full id', () => {
    const one = moduleOf('one');
    expect({ ...one, config: null, provision: null }).to.deep.equal({
      id: 'test.parts.one',
      name: 'one',
      namespace: 'test.parts',
      help: 'Help of one.',
      config: null,
      effect: 'opaque',
      provision: null,
    });
    expect(Object.isFrozen(one)).to.equal(true);
    expect(isModuleDescriptor(one)).to.equal(true);
    for (const other of [{ ...one }, null, undefined, 'x', 1]) expect(isModuleDescriptor(other)).to.equal(false);
  });

  it('defineModule prefixes module ids with the namespace, except for apps', () => {
    expect(moduleId(parts, 'x')).to.equal('test.parts.x');
    expect(moduleId(apps, 'x')).to.equal('x');
  });
});

describe('token function', () => {
  it('the token function returns a new frozen token for each call, even if the names are equal', () => {
    for (const make of [token, appToken, namespace] as const) {
      const [a, b] = [make<number>('a'), make<number>('a')];
      expect(a).to.not.equal(b);
      expect(a).to.deep.equal(b);
      expect(Object.isFrozen(a)).to.equal(true);
    }
    expect(appToken('a')).to.deep.equal({ name: 'a', app: true });
  });
});

describe('ChangeHooks', () => {
  it('ChangeHooks calls the next tap if a tap throws, and logs the error with the name of the tap', () => {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const hooks = new ChangeHooks(log);
    const called: unknown[] = [];
    hooks.refused.tap('broken', () => {
      throw new Error('no');
    });
    hooks.refused.tap('works', (error) => void called.push(error));
    hooks.refused.call('reason');
    expect(called).to.deep.equal(['reason']);
    expect(entries.map(({ level, fields }) => [level, fields['tap'], String(fields['error'])])).to.deep.equal([
      ['error', 'broken', 'no'],
    ]);
  });
});
