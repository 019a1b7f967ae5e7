import { expect } from 'chai';
import { defineModule, KnownModule, namespace, options, Registry, type ModuleDescriptor } from '@sluice/registry';

const parts = namespace<object>('test.parts');

function moduleOf(name: string): ModuleDescriptor<object> {
  return defineModule(parts, { name, help: '', config: options({}), provision: () => ({}) });
}

describe('KnownModule', () => {
  let loads = 0;
  const listed = (name: string, load: () => Promise<ModuleDescriptor>): KnownModule =>
    new KnownModule({ namespace: 'test.parts', name, load: () => (loads++, load()) });
  beforeEach(() => {
    loads = 0;
  });

  it('KnownModule provides its ID before it is loaded, and loads once', async () => {
    const one = moduleOf('one');
    const known = listed('one', () => Promise.resolve(one));
    expect(known).to.include({ id: 'test.parts.one', name: 'one', namespace: 'test.parts', loaded: null });
    expect(() => known.descriptor).to.throw('module test.parts.one was accessed before it was loaded');
    expect(await Promise.all([known.load(), known.load()])).to.deep.equal([one, one]);
    expect(await known.load()).to.equal(one);
    expect(known.loaded).to.equal(one);
    expect(known.descriptor).to.equal(one);
    expect(loads).to.equal(1);
  });

  it('KnownModule.load retries after a failure', async () => {
    const one = moduleOf('one');
    const known = listed('one', () =>
      loads === 1 ? Promise.reject(new Error('not there yet')) : Promise.resolve(one),
    );
    const failed = await known.load().catch((error: unknown) => error);
    expect(failed).to.include({
      code: 'ERR_MODULE_LOAD',
      message: 'module test.parts.one cannot be loaded: not there yet',
    });
    expect(await known.load()).to.equal(one);
  });

  it('KnownModule.load rejects a module with another ID', async () => {
    const failed = await listed('one', () => Promise.resolve(moduleOf('two')))
      .load()
      .catch(String);
    expect(failed).to.contain('the package provided module test.parts.two instead');
  });

  it('Registry.loadAll loads all modules, including modules shared with another registry', async () => {
    const known = listed('one', () => Promise.resolve(moduleOf('one')));
    const [registry, other] = [new Registry().add(known, moduleOf('two')), new Registry().add(known)];
    await registry.loadAll();
    await other.loadAll();
    expect(registry.list().map(({ descriptor }) => descriptor.id)).to.deep.equal(['test.parts.one', 'test.parts.two']);
    expect(other.find(parts, 'one')).to.equal(known);
    expect(loads).to.equal(1);
  });
});
