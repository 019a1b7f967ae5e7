import { expect } from 'chai';
import { register, pkiApp } from '@sluice/pki-app';
import { Engine, type TrafficThreads } from '@sluice/engine';
import { Registry, type AdminRequest, type AdminResponse, type AdminRoute } from '@sluice/registry';
import { silentLogger } from '@sluice/base';
import { bench, type Bench } from './support.ts';

const noThreads: TrafficThreads = {
  prepare: () => Promise.resolve(),
  commit: () => Promise.resolve(),
  abort: () => Promise.resolve(),
  joined: () => undefined,
};

function routes(): Map<string, AdminRoute> {
  const found = new Map<string, AdminRoute>();
  new Registry().use(register).hooks.adminRoutes.call({ add: (route) => found.set(route.path, route) });
  return found;
}

describe('pki admin routes', () => {
  let server: Bench;
  let engine: Engine;
  const get = async (path: string, id = ''): Promise<AdminResponse> =>
    (await routes()
      .get(path)
      ?.handle({ method: 'GET', params: { id } } as unknown as AdminRequest, engine)) as AdminResponse;
  const statusOf = async (path: string, id?: string): Promise<unknown> =>
    Promise.resolve()
      .then(() => get(path, id))
      .then(
        ({ status = 200 }) => status,
        (error: unknown) => (error as { status?: number }).status,
      );

  beforeEach(() => {
    server = bench();
    const { registry, runtime } = server;
    engine = new Engine({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  });
  afterEach(() => engine.close());

  it('provision the default authority on request, where the configuration has no app pki', async () => {
    await engine.load({ storage: { module: 'memory' } });
    const { json } = await get('/pki/ca/:id', 'local');
    expect(json).to.have.all.keys(
      'id',
      'name',
      'root_common_name',
      'intermediate_common_name',
      'root_certificate',
      'intermediate_certificate',
    );
    expect(engine.app(pkiApp)).to.equal(null);
    expect(server.storage.values.get('pki/authorities/local/root.crt')).to.equal(
      (json as Record<string, string>).root_certificate,
    );
    expect(await statusOf('/pki/ca/:id', 'other')).to.equal(404);
  });

  it('answer with the authorities of the configuration', async () => {
    await engine.load({
      storage: { module: 'memory' },
      apps: { pki: { certificate_authorities: { x: { name: 'N' } } } },
    });
    const { json } = await get('/pki/ca/:id', 'x');
    expect(json).to.include({ id: 'x', name: 'N', intermediate_common_name: 'N - ECC Intermediate' });
    const { headers, body } = await get('/pki/ca/:id/certificates', 'x');
    expect(headers).to.deep.equal({ 'Content-Type': 'application/pem-certificate-chain' });
    const { intermediate_certificate: intermediate, root_certificate: root } = json as Record<string, string>;
    expect(body).to.equal(`${intermediate}${root}`);
    expect(await statusOf('/pki/ca/:id/certificates', 'local')).to.equal(200);
    expect(await statusOf('/pki/ca/:id/certificates', 'other')).to.equal(404);
    expect(await statusOf('/pki/')).to.equal(404);
  });
});
