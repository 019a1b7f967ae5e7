import { expect } from 'chai';
import { register } from '@sluice/module-guide';
import { storages } from '@sluice/module';
import { MemoryStorage, provision } from '@sluice/testing';

describe('caddy.storage.prefix', () => {
  it('the prefix storage stores values in the underlying storage, under its prefix', async () => {
    const storage = new MemoryStorage();
    const config = { module: 'prefix', prefix: 'blue', storage: { module: 'memory' } };
    const { instance, close } = await provision(storages, config, { register: [register], key: 'module', storage });
    await instance.store('a/b', 'text');
    expect([...storage.values.keys()]).to.deep.equal(['blue/a/b']);
    expect(String(await instance.load('a/b'))).to.equal('text');
    expect(await instance.list('a')).to.deep.equal(['a/b']);
    expect(await instance.stat('a/b')).to.include({ key: 'a/b', size: 4 });
    const lock = await instance.lock('a');
    await lock.release();
    await instance.delete('a/b');
    expect(await instance.exists('a/b')).to.equal(false);
    await close();
  });
});
