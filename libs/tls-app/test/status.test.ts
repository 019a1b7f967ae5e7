import { expect } from 'chai';
import { register } from '@sluice/tls-app';
import { Reconciler, noThreads } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import { silentLogger, type Json } from '@sluice/base';
import { adminApi, MemoryStorage } from '@sluice/testing';
import { cleanStorage } from '../src/automation/cleaning.ts';
import { Bench, TestAuthority, until } from './support.ts';

const day = 86_400_000;

describe('GET /certificates', () => {
  it('GET /certificates lists served and pending certificates without secrets', async () => {
    const authority = await TestAuthority.make();
    const bench = new Bench(authority);
    const loaded = await authority.leaf(['loaded.test'], { organization: 'Org' });
    bench.loaded = [{ ...loaded, tags: ['t'], source: 'file.pem' }];
    await bench.load({
      certificates: { memory: {}, automate: ['a.test', 'b.test'] },
      automation: {
        policies: [{ subjects: ['b.test'], issuers: [{ module: 'other' }] }, { issuers: [{ module: 'internal' }] }],
      },
    });
    bench.failing.add('other');
    const keys = ['certificate_attempts/b.test.json', 'certificates/internal/a.test/a.test.json'];
    await until(() => keys.every((key) => bench.storage.values.has(key)));
    const reconciler = new Reconciler({
      registry: new Registry().use(register),
      runtime: bench.runtime,
      threads: noThreads,
      store: null,
      log: silentLogger,
    });
    const api = await adminApi(reconciler);
    const get = async (query: string): Promise<Json[]> =>
      (await api.request(`/certificates?${query}`)).json() as Json[];
    const all = await get('');
    expect(all).to.have.length(3);
    const [first] = await get('name=loaded.test');
    expect(first).to.include({ subject: 'O=Org', source: 'file.pem', managed: false, key_algorithm: 'ecdsa' });
    const [obtained] = await get('name=a.test');
    expect(obtained).to.include({ identifier: 'a.test', managed: true, last_error: null, issuer: 'CN=Test authority' });
    const [failed] = (await get('name=b.test')) as [Record<string, Json>];
    expect(failed.last_error).to.contain('not today');
    expect(Date.parse(String(failed.next_attempt))).to.be.greaterThan(Date.now());
    expect(JSON.stringify(all)).not.to.contain('PRIVATE');
    const file = 'certificates/internal/a.test/a.test.crt';
    const stored = bench.storage.values.get(file);
    const renew = (name: string) => api.request(`/certificates/${name}/renew`, { method: 'POST' });
    expect((await renew('a.test')).json()).to.include({ identifier: 'a.test', managed: true });
    await until(() => bench.storage.values.get(file) !== stored, 20_000);
    // The certificate of a failed name can be renewed before its next scheduled attempt.
    bench.failing.delete('other');
    expect((await renew('b.test')).status).to.equal(200);
    await until(() => bench.storage.values.has('certificates/other/b.test/b.test.crt'), 20_000);
    const unknown = await renew('loaded.test');
    expect(unknown.status).to.equal(404);
    expect(unknown.text).to.contain('certificate \\"loaded.test\\" is not managed');
    await api.close();
    await bench.close();
  });
});

describe('storage cleaning', () => {
  it('storage cleaning removes only items that expired long ago', async () => {
    const authority = await TestAuthority.make();
    const storage = new MemoryStorage();
    const keep = async (name: string, notBefore: number): Promise<void> => {
      const { chain, key } = await authority.leaf([name], { notBefore, lifetime: day });
      const stem = `certificates/internal/${name}/${name}`;
      storage.values.set(`${stem}.crt`, chain).set(`${stem}.key`, key).set(`${stem}.json`, '{}');
    };
    await keep('old.test', Date.now() - 20 * day);
    await keep('expired.test', Date.now() - 3 * day);
    await keep('valid.test', Date.now());
    storage.values.set('certificates/internal/x/x.crt', 'foreign').set('other/a.crt', 'x');
    await cleanStorage(storage, silentLogger);
    const left = [...storage.values.keys()].filter((key) => key.endsWith('.crt'));
    expect(left).to.deep.equal([
      'certificates/internal/expired.test/expired.test.crt',
      'certificates/internal/valid.test/valid.test.crt',
      'certificates/internal/x/x.crt',
      'other/a.crt',
    ]);
    expect([...storage.values.keys()].some((key) => key.includes('old.test'))).to.equal(false);
  });
});
