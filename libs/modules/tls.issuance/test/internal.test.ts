import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { register as pki } from '@sluice/pki-app';
import { register as tls } from '@sluice/tls-app';
import { register as loaders } from '@sluice/tls.certificates';
import { register } from '@sluice/tls.issuance';
import { Registry } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type Json } from '@sluice/base';
import { MemoryStorage, registerStorage } from '@sluice/testing';

const hour = 3_600_000;

describe('tls.issuance.internal', () => {
  const open: Runtime[] = [];
  afterEach(() => Promise.all(open.splice(0).map((runtime) => runtime.close())));

  const obtain = async (issuer: Json, authorities: Json = {}): Promise<MemoryStorage> => {
    const storage = new MemoryStorage();
    const registry = new Registry();
    for (const each of [registerStorage(storage), pki, tls, loaders, register]) registry.use(each);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    open.push(runtime);
    const app = { certificates: { automate: ['a.test'] }, automation: { policies: [{ issuers: [issuer] }] } };
    const document = {
      storage: { module: 'memory' },
      apps: { pki: { certificate_authorities: authorities }, tls: app },
    };
    runtime.commit(await runtime.prepare(document));
    const end = Date.now() + 8000;
    while (![...storage.values.keys()].some((key) => key.endsWith('a.test.json'))) {
      if (Date.now() > end) throw new Error('no certificate was obtained');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return storage;
  };
  const chainOf = (storage: MemoryStorage, folder: string): X509Certificate[] =>
    (storage.values.get(`certificates/${folder}/a.test/a.test.crt`) ?? '')
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .map((pem) => new X509Certificate(pem));

  it('the internal issuer uses the local CA and a lifetime of 12 hours by default', async () => {
    const storage = await obtain({ module: 'internal' });
    const [leaf, intermediate] = chainOf(storage, 'local');
    expect(leaf?.subjectAltName).to.equal('DNS:a.test');
    expect(leaf?.verify((intermediate as X509Certificate).publicKey)).to.equal(true);
    const life = (leaf?.validToDate.getTime() ?? 0) - (leaf?.validFromDate.getTime() ?? 0);
    expect(life).to.be.within(12 * hour, 12 * hour + 61_000);
  });

  it('the internal issuer supports other CAs, signing with the root, and custom lifetimes', async () => {
    const issuer = { module: 'internal', ca: 'own', lifetime: '1h', sign_with_root: true };
    const storage = await obtain(issuer, { own: { root_common_name: 'Own root' } });
    const chain = chainOf(storage, 'own');
    expect(chain.map((each) => each.issuer)).to.deep.equal(['CN=Own root']);
    const [leaf] = chain as [X509Certificate];
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).to.be.within(hour, hour + 61_000);
  });

  it('the internal issuer rejects an unknown CA', async () => {
    const message = await obtain({ module: 'internal', ca: 'none' }).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    expect(message).to.contain('apps.tls.automation.policies[0].issuers[0].ca').and.to.contain('"none"');
  });
});
