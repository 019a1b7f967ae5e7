import { generateKeyPairSync } from 'node:crypto';
import { jwkOf, signMessage } from '@sluice/acme';
import { httpAppModule, httpApp, listenersToken, reusePortToken, type Listener } from '@sluice/http-app';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { Registry, ResourcePool, type Token } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type JsonObject } from '@sluice/base';
import { makeExchange, MemoryStorage, serve, type TestResponse, type TestServer } from '@sluice/testing';
import { expect } from 'chai';
import { documentOf, withStorage } from './support.ts';

const start = (handler: JsonObject = {}, storage = new MemoryStorage()): Promise<TestServer> =>
  serve(documentOf(handler), { register: [withStorage(storage)] });

async function makeAccount(
  request: TestServer['request'],
  prefix = '/acme/local',
  key = generateKeyPairSync('ed25519').privateKey,
): Promise<TestResponse> {
  const nonce = (await request({ method: 'HEAD', path: `${prefix}/new-nonce` })).headers.get('replay-nonce') ?? '';
  const url = `https://localhost${prefix}/new-account`;
  const message = signMessage(key, { jwk: jwkOf(key) }, { url, nonce }, {});
  const headers = { 'content-type': 'application/jose+json' };
  return request({ method: 'POST', path: `${prefix}/new-account`, headers, body: JSON.stringify(message) });
}

describe('http.handlers.acme_server', () => {
  it('acme_server returns its directory with URLs for the requested host', async () => {
    const server = await start();
    const { headers, text, status } = await server.request({ path: '/acme/local/directory', host: 'ca.test:8443' });
    await server.close();
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json');
    expect(JSON.parse(text)).to.deep.equal({
      newNonce: 'https://ca.test:8443/acme/local/new-nonce',
      newAccount: 'https://ca.test:8443/acme/local/new-account',
      newOrder: 'https://ca.test:8443/acme/local/new-order',
      revokeCert: 'https://ca.test:8443/acme/local/revoke-cert',
      keyChange: 'https://ca.test:8443/acme/local/key-change',
    });
  });

  it('acme_server uses the host and path prefix from its options', async () => {
    const server = await start({ host: 'ca.test', path_prefix: '/x' });
    const { text } = await server.request('/x/local/directory');
    expect((await server.request('/acme/local/directory')).text).to.equal('');
    await server.close();
    expect(text).to.contain('"https://ca.test/x/local/new-nonce"');
  });

  const paths: readonly (readonly [path: string, status: number])[] = [
    ['/acme/local/nothing', 404],
    ['/acme/other/directory', 404],
    ['/acme/', 404],
    ['/acme', 200],
    ['/ACME/local/directory', 200],
    ['/', 200],
  ];
  it('acme_server handles requests below its prefix, and passes on other requests', async () => {
    const server = await start();
    const responses: (readonly [string, number])[] = [];
    for (const [path] of paths) responses.push([path, (await server.request(path)).status]);
    await server.close();
    expect(responses).to.deep.equal(paths);
  });

  it('acme_server rejects oversized messages', async () => {
    const server = await start();
    const body = 'x'.repeat(200_000);
    const { status } = await server.request({ method: 'POST', path: '/acme/local/new-account', body });
    await server.close();
    expect(status).to.equal(413);
  });

  const wrong: readonly (readonly [handler: JsonObject, expected: RegExp])[] = [
    [{ ca: 'other' }, /handle\[0\]\.ca: certificate authority "other" does not exist/],
    [{ challenges: ['http'] }, /handle\[0\]\.challenges\[0\]: "http" is not a challenge/],
    [
      { lifetime: '168h' },
      /handle\[0\]\.lifetime: must be shorter than the lifetime of the intermediate certificate of "local" \(168h0m0s\)/,
    ],
    [{ lifetime: -1 }, /handle\[0\]\.lifetime: must not be negative/],
    [
      { policy: { allow: { ip_ranges: ['10.0.0.0/33'] } } },
      /handle\[0\]\.policy: "10\.0\.0\.0\/33" is not an IP range/,
    ],
    [{ policy: { deny: { domains: ['a.*.test'] } } }, /handle\[0\]\.policy: "a\.\*\.test" is not a valid name rule/],
  ];
  for (const [handler, expected] of wrong)
    it(`acme_server rejects ${JSON.stringify(handler)} and reports the path`, async () => {
      let message = 'it is accepted';
      try {
        await (await start(handler)).close();
      } catch (error) {
        ({ message } = error as Error);
      }
      expect(message).to.match(expected);
    });

  it('acme_server keeps its accounts after its options change', async () => {
    const server = await start();
    const { privateKey } = generateKeyPairSync('ed25519');
    const first = await makeAccount(server.request, '/acme/local', privateKey);
    await server.reconciler.load(documentOf({ lifetime: '1h' }));
    const second = await makeAccount(server.request, '/acme/local', privateKey);
    await server.close();
    expect([first.status, second.status]).to.deep.equal([201, 200]);
    expect(second.headers.get('location')).to.equal(first.headers.get('location'));
  });

  it('acme_server in traffic threads forwards requests to the control thread', async () => {
    const storage = new MemoryStorage();
    const bus = new ControlBus(silentLogger);
    const services = new Map<Token<unknown>, unknown>([
      [threadBusToken, bus],
      [listenersToken, new ResourcePool<Listener>()],
      [reusePortToken, false],
    ]);
    const registry = new Registry().add(httpAppModule).use(withStorage(storage));
    const make = async (control: boolean): Promise<Runtime> => {
      const runtime = new Runtime({ registry, roles: { control, traffic: !control }, log: silentLogger, services });
      runtime.commit(await runtime.prepare(documentOf()));
      return runtime;
    };
    const [control, worker] = [await make(true), await make(false)];
    const request: TestServer['request'] = async (what = {}) => {
      const exchange = makeExchange(typeof what === 'string' ? { path: what } : what);
      await worker.app(httpApp)?.servers.get('s')?.handle(exchange);
      const { status, headers } = exchange.response;
      return { status, headers, text: '', body: Buffer.alloc(0), informational: [], trailers: null };
    };
    expect((await makeAccount(request)).status).to.equal(201);
    await control.close();
    // After the server is closed, the client receives an error, and no request remains pending.
    expect((await request('/acme/local/directory')).status).to.equal(500);
    await worker.close();
    expect([...storage.values.keys()].filter((key) => key.includes('/accounts/'))).to.have.length(1);
  });
});
