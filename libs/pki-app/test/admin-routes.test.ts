import { expect } from 'chai';
import { pkiApp } from '@sluice/pki-app';
import { Reconciler, type TrafficThreads } from '@sluice/reconciler';
import { silentLogger } from '@sluice/base';
import { adminApi, type AdminApi, type AdminTestResponse } from '@sluice/testing';
import { bench, type Bench } from './support.ts';

const noThreads: TrafficThreads = {
  prepare: () => Promise.resolve(),
  commit: () => Promise.resolve(),
  abort: () => Promise.resolve(),
  share: () => Promise.resolve(),
  joined: () => undefined,
};

describe('pki app admin routes', () => {
  let server: Bench;
  let reconciler: Reconciler;
  let api: AdminApi;
  const get = (path: string): Promise<AdminTestResponse> => api.request(path);
  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await api.request(path, { method })).status;

  beforeEach(async () => {
    server = bench();
    const { registry, runtime } = server;
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    api = await adminApi(reconciler);
  });
  afterEach(async () => {
    await api.close();
    await reconciler.close();
  });

  it('the pki admin routes provision the default CA on request if the configuration has no pki app', async () => {
    await reconciler.load({ storage: { module: 'memory' } });
    const json = (await get('/pki/ca/local')).json() as Record<string, string>;
    expect(json).to.have.all.keys(
      'id',
      'name',
      'root_common_name',
      'intermediate_common_name',
      'root_certificate',
      'intermediate_certificate',
    );
    expect(reconciler.app(pkiApp)).to.equal(null);
    expect(server.storage.values.get('pki/authorities/local/root.crt')).to.equal(json['root_certificate']);
    expect(await statusOf('/pki/ca/other')).to.equal(404);
  });

  it('pki admin routes return the configured CAs', async () => {
    await reconciler.load({
      storage: { module: 'memory' },
      apps: { pki: { certificate_authorities: { x: { name: 'N' } } } },
    });
    const json = (await get('/pki/ca/x')).json() as Record<string, string>;
    expect(json).to.include({ id: 'x', name: 'N', intermediate_common_name: 'N - ECC Intermediate' });
    const { headers, text } = await get('/pki/ca/x/certificates');
    expect(headers['content-type']).to.equal('application/pem-certificate-chain');
    const { intermediate_certificate: intermediate, root_certificate: root } = json;
    expect(text).to.equal(`${intermediate}${root}`);
    expect(await statusOf('/pki/ca/local/certificates')).to.equal(200);
    expect(await statusOf('/pki/ca/other/certificates')).to.equal(404);
  });

  it('the pki admin routes return 404 for other paths below /pki/, and reject methods other than GET', async () => {
    for (const path of ['/pki/', '/pki/ca', '/pki/ca/', '/pki/ca/local/x/y']) {
      const { status, text } = await get(path);
      expect([status, text], path).to.deep.equal([
        404,
        '{"error":"not found; available: /pki/ca/ID and /pki/ca/ID/certificates"}\n',
      ]);
      expect(await statusOf(path, 'POST'), path).to.equal(405);
    }
    expect((await get('/pki')).headers['location']).to.equal('/pki/');
    expect(await statusOf('/pki/ca/local', 'HEAD')).to.equal(405);
  });
});
