import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { IdentityCertificate } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { throwAwayCertificate } from '@sluice/testing';
import { startServer, type TestServer } from './admin.ts';

type Pair = IdentityCertificate;

const pairOf = (name: string): Promise<Pair> => throwAwayCertificate([name]);

function base64Of({ cert }: Pair): string {
  return new X509Certificate(cert).raw.toString('base64');
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly servername?: string;
}

/** Sends a request to the remote admin endpoint. Returns the status and the name in the server certificate, or the error code. */
function ask(port: number, pair: Pair | null, sent: Sent = {}): Promise<[status: number | string, name: string]> {
  const { method = 'GET', path = '/config/', headers = {}, body, servername = '' } = sent;
  return new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method, path, headers, servername, agent: false, rejectUnauthorized: false, ...pair },
      (response) => {
        const { CN } = (response.socket as TLSSocket).getPeerCertificate().subject;
        response.resume().on('end', () => resolve([response.statusCode ?? 0, String(CN)]));
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve([error.code ?? error.message, '']));
    outgoing.end(body);
  });
}

describe('admin.remote', () => {
  let server: TestServer;
  let first: Pair;
  let second: Pair;
  let client: Pair;
  let untrusted: Pair;
  /** Server certificate for clients that send no SNI. */
  let current: Pair;
  let changed: () => void;

  before(async () => {
    [first, second, client, untrusted] = (await Promise.all(
      ['first.test', 'second.test', 'client', 'stranger'].map(pairOf),
    )) as [Pair, Pair, Pair, Pair];
  });

  beforeEach(async () => {
    current = first;
    server = await startServer({
      identity: async () => ({
        certificate: async (name) => (name === 'second.test' ? second : current),
        onChange: (listener) => {
          changed = listener;
          return () => undefined;
        },
      }),
    });
  });

  afterEach(() => server.close());

  const port = (): number => Number(/\d+$/.exec(server.remote.address ?? '')?.[0]);
  const configured = (entries: Json, rest: Readonly<Record<string, Json>> = {}): Json => ({
    admin: {
      identity: { identifiers: ['first.test', 'second.test'] },
      remote: { listen: '127.0.0.1:0', access_control: entries },
    },
    apps: { any: { text: 'hello', '@id': 'it' } },
    ...rest,
  });
  const load = (json: Json): ReturnType<TestServer['ask']> => server.ask('/load', { method: 'POST', json });
  const errorOf = async (json: Json): Promise<unknown> => ((await load(json)).json as { error: unknown }).error;

  it('admin.remote serves clients with a known key, and closes other connections', async () => {
    expect((await load(configured([{ public_keys: [base64Of(client)] }]))).status).to.equal(200);
    expect(await ask(port(), client)).to.deep.equal([200, 'first.test']);
    for (const pair of [untrusted, null]) {
      const [outcome] = await ask(port(), pair);
      expect(outcome).to.be.a('string');
    }
    const refused = server.entries.filter(({ message }) => message === 'access denied');
    expect(refused).to.have.length(2);
  });

  it('admin.remote identifies clients by key, regardless of the certificate issuer', async () => {
    await load(configured([{ public_keys: [base64Of(client)] }]));
    expect((await ask(port(), await pairOf('client')))[0]).to.be.a('string');
  });

  it('admin.remote presents the current certificate for the requested server name', async () => {
    await load(configured([{ public_keys: [base64Of(client)] }]));
    expect(await ask(port(), client, { servername: 'second.test' })).to.deep.equal([200, 'second.test']);
    current = second;
    changed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask(port(), client)).to.deep.equal([200, 'second.test']);
  });

  const anything = { method: 'POST', path: '/adapt', body: '{}', headers: { 'Content-Type': 'application/json' } };
  const cases: [permissions: Json, sent: Sent, status: number][] = [
    [null, {}, 200],
    [[], anything, 200],
    [[{ paths: ['/config/apps'], methods: ['GET'] }], { path: '/config/apps/any' }, 200],
    [[{ paths: ['/config/apps'], methods: ['GET'] }], { path: '/config/appsx' }, 403],
    [[{ paths: ['/config/apps'], methods: ['GET'] }], {}, 403],
    [[{ paths: ['/config/apps'], methods: ['GET'] }], { method: 'DELETE', path: '/config/apps/any' }, 403],
    [[{ paths: ['/config/apps'] }, { paths: ['/adapt'] }], anything, 200],
    [[{ paths: ['/config/apps'] }, { paths: ['/adapt'] }], { path: '/schema' }, 403],
    [[{ paths: ['/id/it'] }], { path: '/config/apps/any/text' }, 200],
    [[{ paths: ['/id/it'] }], { path: '/config/apps' }, 403],
    [[{}], { headers: { Host: 'anything' } }, 200],
    [[{}], { headers: { Origin: 'http://evil.example' } }, 403],
  ];
  for (const [permissions, sent, status] of cases) {
    it(`admin.remote returns ${status} to ${JSON.stringify(sent)} with permissions ${JSON.stringify(permissions)}`, async () => {
      await load(configured([{ public_keys: [base64Of(client)], permissions }]));
      expect((await ask(port(), client, sent))[0]).to.equal(status);
    });
  }

  it('admin.remote combines the permissions of all entries for a key', async () => {
    const keys = { public_keys: [base64Of(client)] };
    await load(
      configured([
        { ...keys, permissions: [{ methods: ['GET'] }] },
        { ...keys, permissions: [{ methods: ['POST'] }] },
      ]),
    );
    expect((await ask(port(), client))[0]).to.equal(200);
    expect((await ask(port(), client, anything))[0]).to.equal(200);
    expect((await ask(port(), client, { method: 'DELETE' }))[0]).to.equal(403);
  });

  it('admin.remote follows configuration changes, and stays unchanged after a rejected change', async () => {
    await load(configured([{ public_keys: [base64Of(client)] }]));
    const before = port();
    expect((await load(configured([{ public_keys: [base64Of(untrusted)] }], { apps: { nope: {} } }))).status).to.equal(
      400,
    );
    expect([port(), (await ask(before, client))[0]]).to.deep.equal([before, 200]);
    await load(configured([{ public_keys: [base64Of(untrusted)] }]));
    expect([port(), (await ask(before, untrusted))[0]]).to.deep.equal([before, 200]);
    expect((await ask(before, client))[0]).to.be.a('string');
    await load({});
    expect(server.remote.address).to.equal(null);
    expect((await ask(before, untrusted))[0]).to.equal('ECONNREFUSED');
  });

  it('admin.remote rejects invalid options and reports their paths', async () => {
    expect(await errorOf({ admin: { remote: {} } })).to.contain('admin.remote: requires an identity');
    expect(await errorOf(configured([{ public_keys: ['eA=='] }]))).to.contain(
      'admin.remote.access_control[0].public_keys[0]',
    );
    expect(await errorOf(configured([{ permissions: [{ paths: ['x'] }] }]))).to.contain(
      'access_control[0].permissions: "x"',
    );
    const wrong = { admin: { identity: {}, remote: { listen: 'udp/:1' } } };
    expect(await errorOf(wrong)).to.contain('admin.remote.listen');
  });
});
