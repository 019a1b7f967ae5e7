import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Sandbox, until } from '../../support/sandbox.ts';
import { TestServer } from '../../support/server.ts';
import { QuicGo } from '../../http3/quic-go.ts';

const names = ['localhost', 'second.test', 'third.test', 'fourth.test'];
const facts =
  '{http.request.proto} {http.request.tls.version} {http.request.tls.proto} {http.request.tls.client.subject}';

describe('HTTP/3 with quic-go as the client', function () {
  this.timeout(180_000);
  let client: QuicGo;
  let sandbox: Sandbox;
  let server: TestServer;
  let mine: { readonly cert: string; readonly key: string };
  const file = randomBytes(20 * 1024 * 1024);

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    const built = await QuicGo.build();
    if (built === null) this.skip();
    client = built;
    sandbox = new Sandbox();
    const certificates = await Promise.all(names.map((name) => signedCertificate([name])));
    const untrusted = await signedCertificate(['alice']);
    mine = { cert: sandbox.path('alice.pem'), key: sandbox.path('alice.key') };
    await writeFile(mine.cert, untrusted.cert);
    await writeFile(mine.key, untrusted.key);
    await writeFile(sandbox.path('authority.pem'), untrusted.authority);
    await writeFile(sandbox.path('large'), file);
    const pems = certificates.map(({ cert, key }) => ({ certificate: cert, key }));
    server = await TestServer.runWith(
      sandbox,
      (admin, http) => ({
        admin: { listen: `127.0.0.1:${admin}` },
        apps: {
          tls: { certificates: { load_pem: pems } },
          http: {
            servers: {
              s: {
                listen: [`127.0.0.1:${http}`],
                protocols: ['h1', 'h2', 'h3'],
                automatic_https: { disable: true },
                tls_connection_policies: [
                  {
                    match: { sni: ['fourth.test'] },
                    client_authentication: { trusted_ca_certs_pem_files: [sandbox.path('authority.pem')] },
                  },
                  {},
                ],
                routes: [
                  { match: [{ path: ['/facts'] }], handle: [{ handler: 'static_response', body: facts }] },
                  {
                    match: [{ path: ['/upload'] }],
                    handle: [{ handler: 'static_response', body: '{http.request.body}' }],
                  },
                  { handle: [{ handler: 'file_server', root: sandbox.path('.') }] },
                ],
              },
              other: { listen: [`127.0.0.1:0`], routes: [] },
            },
          },
        },
      }),
      ['--workers', '2'],
    );
  });

  after(async () => {
    await sandbox?.remove();
    await client?.remove();
  });

  const url = (path: string): string => `https://127.0.0.1:${server.httpPort}${path}`;
  const digest = createHash('sha256').update(file).digest('hex');

  for (const kind of ['get', 'version2'])
    it(`handlers receive the connection properties of HTTP/3 requests (${kind})`, async () => {
      const seen = await client.play(url('/facts'), { case: kind });
      expect(seen).to.include({ proto: 'HTTP/3.0', status: 200, body: 'HTTP/3.0 tls1.3 h3 ' });
    });

  for (const name of names.slice(0, 3))
    it(`the server presents the certificate of ${name} over HTTP/3`, async () => {
      expect((await client.play(url('/facts'), { name })).names).to.deep.equal([name]);
    });

  it('the server accepts a client certificate of a trusted authority', async () => {
    const seen = await client.play(url('/facts'), { name: 'fourth.test', ...mine });
    expect(seen).to.include({ status: 200, body: 'HTTP/3.0 tls1.3 h3 CN=alice' });
  });

  it('the server rejects a client without a certificate with the TLS alert certificate_required', async () => {
    expect((await client.play(url('/facts'), { name: 'fourth.test' })).error).to.equal('transport 0x174');
  });

  it('HTTP/3 sessions are resumed', async () => {
    expect((await client.play(url('/facts'), { case: 'resume' })).resumed).to.deep.equal([false, true]);
  });

  it('HTTP/3 early data is rejected unless it is enabled', async () => {
    const seen = await client.play(url('/facts'), { case: 'early' });
    expect(seen).to.include({ status: 200 });
    expect([seen.resumed, seen.early]).to.deep.equal([[false, true], undefined]);
  });

  it('one HTTP/3 connection serves 300 concurrent requests', async () => {
    expect(await client.play(url('/facts'), { case: 'many', count: 300 })).to.include({ done: 300 });
  });

  it('the server sends a large file completely over HTTP/3', async () => {
    expect(await client.play(url('/large'))).to.include({ bytes: file.length, digest });
  });

  it('the server accepts uploads over HTTP/3', async () => {
    const seen = await client.play(url('/upload'), { case: 'upload', size: 300_000 });
    expect(seen).to.include({ status: 200, bytes: 300_000 });
  });

  it('an HTTP/3 connection survives connection migration, even to a socket of another thread', async () => {
    expect(await client.play(url('/facts'), { case: 'migrate', count: 8 })).to.include({ done: 8, status: 200 });
  });

  it('100 changes to another server and an upgrade do not interrupt any HTTP/3 response', async () => {
    const downloads = Array.from({ length: 6 }, () => client.play(url('/large')));
    for (let i = 0; i < 100; i++)
      await server.admin('/config/apps/http/servers/other/routes', {
        method: 'PATCH',
        body: [{ handle: [{ handler: 'static_response', body: String(i) }] }],
      });
    const { text, status } = await server.admin('/upgrade', { method: 'POST' });
    expect(status, text).to.equal(200);
    const { pid } = JSON.parse(text) as { pid: number };
    try {
      for (const seen of await Promise.all(downloads)) expect(seen).to.include({ bytes: file.length, digest });
      expect(await client.play(url('/facts'))).to.include({ status: 200 });
    } finally {
      process.kill(pid, 'SIGTERM');
      await until(() => !isRunning(pid), 'the end of the new process');
      await sleep(100);
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
