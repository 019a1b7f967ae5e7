/** Tests for TLS advisories and bypasses. A client without a certificate tries to access a server name that requires one. */
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { frames, freePort, sampleCertificates } from '@sluice/testing';
import { exchangeRaw, rawUpstream, response, type RawUpstream } from '../support/raw.ts';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const guarded = 'guarded.test';
const open = 'open.test';
const authority = sampleCertificates.authority.replaceAll(/-----[^-]+-----|\s/g, '');

describe('published advisories about TLS', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let tlsPort = 0;
  let injecting: RawUpstream;
  before(async () => {
    sandbox = new Sandbox();
    // Starts an upstream that sends a plaintext response before the TLS handshake.
    injecting = await rawUpstream(
      () => {},
      (socket) => socket.write(response('injected')),
    );
    const [admin, http] = [await freePort(), await freePort()];
    tlsPort = await freePort();
    const closed = { mode: 'require_and_verify', trusted_ca_certs: [authority] };
    const transport = { protocol: 'http', tls: { insecure_skip_verify: true } };
    const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: injecting.dial }], transport };
    const file = await sandbox.write('config.json', {
      admin: { listen: `127.0.0.1:${admin}` },
      apps: {
        pki: { certificate_authorities: { local: { install_trust: false } } },
        tls: {
          certificates: { automate: [guarded, open] },
          automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
        },
        http: {
          servers: {
            plain: { listen: [`127.0.0.1:${http}`], automatic_https: { disable: true }, routes: [{ handle: [proxy] }] },
            s: {
              listen: [`127.0.0.1:${tlsPort}`],
              automatic_https: { disable: true },
              tls_connection_policies: [
                { match: { sni: [guarded] }, client_authentication: closed },
                { default_sni: open, fallback_sni: open },
              ],
              routes: [
                { match: [{ host: [guarded] }], ...says('guarded'), terminal: true },
                { match: [{ host: [open] }], ...says('open'), terminal: true },
                says('other'),
              ],
            },
          },
        },
      },
    });
    server = await TestServer.start(sandbox, ['--config', file], admin, http);
    await server.logged('obtained certificate', 2);
  });
  after(async () => {
    await injecting.close();
    await sandbox.remove();
  });

  const options = (servername: string): ConnectionOptions => ({
    host: '127.0.0.1',
    port: tlsPort,
    rejectUnauthorized: false,
    ...(servername === '' ? {} : { servername }),
  });

  /** Returns the HTTP/1.1 response or the error message. */
  function ask(servername: string, host: string, more: ConnectionOptions = {}): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect({ ...options(servername), ALPNProtocols: ['http/1.1'], ...more }).setEncoding('latin1');
      let text = '';
      socket
        .on('data', (part: string) => (text += part))
        .on('error', (error: Error) => (text += `error ${error.message}`));
      socket.on('close', () => resolve(text));
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
  }

  /** Returns a TLS session that can be resumed. */
  async function sessionOf(servername: string, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<Buffer> {
    return trySession(servername, maxVersion).catch(() => trySession(servername, maxVersion));
  }

  function trySession(servername: string, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const socket: TLSSocket = connect({ ...options(servername), maxVersion, ALPNProtocols: ['http/1.1'] });
      socket
        .on('session', resolve)
        .on('error', reject)
        .on('data', () => socket.destroy());
      socket.on('close', () => reject(new Error('the server gave no session')));
      socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\n\r\n`);
    });
  }

  /** Returns the body of an HTTP/2 response. */
  async function askHttp2(servername: string, host: string): Promise<string> {
    const { FrameClient, types, frame, fields, endHeaders, endStream } = frames;
    const client = new FrameClient(connect({ ...options(servername), ALPNProtocols: ['h2'] })).open();
    const head = [
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/'],
      [':authority', host],
    ] as const;
    client.send(frame(types.headers, endHeaders | endStream, 1, fields(...head)));
    await client.until(
      ({ stream, flags, type }) => type === types.reset || (stream === 1 && (flags & endStream) !== 0),
    );
    client.close();
    return client.frames
      .filter(({ type }) => type === types.data)
      .map(({ payload }) => payload.toString())
      .join('');
  }

  const servernames = [open, guarded, guarded.toUpperCase(), `${guarded}.`, '', 'other.test', `x.${guarded}`];
  const hosts = [guarded, guarded.toUpperCase(), `${guarded}.`, `${guarded}:443`, `${guarded}:`, `${guarded}.:443`];
  for (const servername of servernames) {
    it(`CVE-2025-23419 and similar: SNI ${servername || '(none)'} does not grant access to other server names`, async () => {
      for (const host of hosts) {
        expect(await ask(servername, host), host).to.not.contain('\r\n\r\nguarded');
        expect(await askHttp2(servername, host), host).to.not.contain('guarded');
      }
      if (servername === open) expect(await askHttp2(open, open)).to.equal('open');
    });
  }

  it('CVE-2026-48928: connection policies match names case-insensitively', async () => {
    for (const servername of [guarded, 'GUARDED.test', 'gUaRdEd.TeSt'])
      expect(await ask(servername, servername)).to.not.match(/^HTTP/);
    expect(await ask('OPEN.test', open)).to.match(/\r\n\r\nopen$/);
  });

  // Attack in docs/security.md: Resumption of a session that began with a different server name or policy (CVE-2025-23419).
  it('CVE-2025-23419: TLS sessions can be resumed only for the same server name', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const session = await sessionOf(open, maxVersion);
      expect(await ask(open, open, { session, maxVersion }), maxVersion).to.match(/\r\n\r\nopen$/);
      expect(await ask(guarded, guarded, { session, maxVersion }), maxVersion).to.not.match(/^HTTP/);
    }
  });

  it('CVE-2026-21637: an invalid SNI fails only its own handshake', async () => {
    for (const servername of [
      '__proto__',
      'constructor',
      '*.test',
      '*',
      'a..b',
      '-',
      'xn--',
      'x'.repeat(63),
      'a.'.repeat(120),
      'é.test',
    ])
      await ask(servername, open);
    expect(await ask(open, open)).to.match(/\r\n\r\nopen$/);
    expect((await server.admin('/config/')).status).to.equal(200);
  });

  it('CVE-2026-1642: the proxy ignores upstream data sent before the handshake', async () => {
    const received = await exchangeRaw(server.httpPort, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 500);
    expect(received).to.match(/^HTTP\/1\.1 502 /);
    expect(received).to.not.contain('injected');
  });
});
