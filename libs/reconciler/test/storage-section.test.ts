import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { storages, storageToken, type Storage } from '@sluice/contracts';
import { register, Runtime } from '@sluice/reconciler';
import { defineModule, options, Registry, string } from '@sluice/registry';

describe('storage section', () => {
  const fake = (name: string) =>
    defineModule(storages, {
      name,
      help: 'Says its name.',
      config: options({ prefix: string('What comes first.') }),
      provision: ({ prefix }) => ({ load: async () => Buffer.from(`${prefix ?? ''}${name}`) }) as unknown as Storage,
    });

  async function storageOf(names: readonly string[], storage?: Json): Promise<Storage> {
    const registry = new Registry().use(register);
    for (const name of names) registry.add(fake(name));
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    runtime.commit(await runtime.prepare(storage === undefined ? {} : { storage }));
    const found = runtime.app(storageToken) as Storage;
    await runtime.close();
    return found;
  }
  const nameOf = async (storage: Storage): Promise<string> => String(await storage.load('key'));

  it('the storage section defaults to a directory in the data directory', async () => {
    expect(await nameOf(await storageOf(['file_system', 'other']))).to.equal('file_system');
  });

  it('the storage section provisions the named module with its options', async () => {
    const storage = await storageOf(['file_system', 'other'], { module: 'other', prefix: 'my ' });
    expect(await nameOf(storage)).to.equal('my other');
  });

  it('the storage section fails on first use if no storage module is registered', async () => {
    const storage = await storageOf([]);
    for (const work of [
      () => storage.load('a'),
      () => storage.store('a', 'b'),
      () => storage.delete('a'),
      () => storage.exists('a'),
      () => storage.list('a'),
      () => storage.stat('a'),
      () => storage.lock('a'),
    ]) {
      const error: unknown = await work().catch((reason: unknown) => reason);
      expect(error).to.be.an('error').with.property('code', 'ERR_STORAGE_MISSING');
      expect((error as Error).message).to.match(/^storage is not available: .*file_system/);
    }
  });

  it('the storage section rejects a missing or unknown module name', async () => {
    const failure = (storage: Json): Promise<string> =>
      storageOf(['file_system'], storage).then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      );
    expect(await failure({})).to.equal('storage: module name of caddy.storage is missing: set "module"');
    expect(await failure({ module: 'no' })).to.match(/^storage: unknown module: caddy\.storage\.no/);
  });
});
