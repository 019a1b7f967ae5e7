import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { freePort, signedCertificate } from '@sluice/testing';
import { QuicGo } from '../../http3/quic-go.ts';
import { startNginx } from '../../nginx/nginx-process.ts';
import { nginxCommand } from '../../nginx/pair.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { TestServer } from '../../support/server.ts';

/** Returns the routes of an upstream that serves the same paths as the server in `quic-go`. `backend` is the address of a WebSocket server. */
const upstreamRoutes = (root: string, backend: string): readonly unknown[] => [
  {
    match: [{ path: ['/files/*'] }],
    handle: [
      { handler: 'rewrite', strip_path_prefix: '/files' },
      { handler: 'file_server', root },
    ],
  },
  { match: [{ path: ['/echo'] }], handle: [{ handler: 'static_response', body: '{http.request.body}' }] },
  { match: [{ path: ['/socket'] }], handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: backend }] }] },
  { handle: [{ handler: 'static_response', body: '{http.request.proto} {http.request.uri.path}' }] },
];

/** Returns the path of nginx, or `null` if it is not installed or was built without HTTP/3. */
async function nginxWithHttp3(): Promise<string | null> {
  if (nginxCommand === null) return null;
  const { stderr } = await promisify(execFile)(nginxCommand, ['-V']);
  if (stderr.includes('--with-http_v3_module')) return nginxCommand;
  process.stdout.write('      skipped for nginx: it was built without --with-http_v3_module\n');
  return null;
}

/** Starts a server that echoes request bodies. If a client requests an upgrade, the server accepts it and echoes all bytes. */
async function echoServer(): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((incoming, response) => void incoming.pipe(response));
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, close: () => void server.close() };
}

describe('HTTP/3 upstreams', function () {
  this.timeout(180_000);
  let sandbox: Sandbox;
  let proxy: TestServer;
  const dials = new Map<string, string>();
  const stops: (() => unknown)[] = [];
  const file = randomBytes(20 * 1024 * 1024);
  const digest = createHash('sha256').update(file).digest('hex');

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    sandbox = new Sandbox();
    const { cert, key, authority } = await signedCertificate(['localhost', '127.0.0.1']);
    const [certFile, keyFile] = [sandbox.path('cert.pem'), sandbox.path('key.pem')];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    await writeFile(sandbox.path('authority.pem'), authority);
    await writeFile(sandbox.path('large'), file);
    const backend = await echoServer();
    stops.push(() => backend.close());
    const tls = { certificates: { load_files: [{ certificate: certFile, key: keyFile }] } };
    const serverOf = (admin: number, http: number): Record<string, unknown> => ({
      admin: { listen: `127.0.0.1:${admin}` },
      apps: {
        tls,
        http: {
          servers: {
            s: {
              listen: [`127.0.0.1:${http}`],
              protocols: ['h1', 'h2', 'h3'],
              automatic_https: { disable: true },
              tls_connection_policies: [{}],
              routes: upstreamRoutes(sandbox.path('.'), backend.address),
            },
          },
        },
      },
    });
    const own = await TestServer.runWith(sandbox, serverOf);
    dials.set('Sluice', `127.0.0.1:${own.httpPort}`);
    const go = await QuicGo.build();
    if (go !== null) {
      const { address, process } = await go.serve(sandbox.path('.'), certFile, keyFile);
      dials.set('quic-go', address);
      stops.push(
        () => process.kill(),
        () => go.remove(),
      );
    }
    const nginx = await nginxWithHttp3();
    if (nginx !== null) {
      const port = await freePort();
      const text = `server {
        listen 127.0.0.1:${port} quic;
        listen 127.0.0.1:${port} ssl;
        ssl_certificate ${certFile};
        ssl_certificate_key ${keyFile};
        client_max_body_size 0;
        location /files/ { alias ${sandbox.path('.')}/; }
        location /echo { proxy_pass http://${backend.address}; }
        location / { return 200 "$server_protocol $uri"; }
      }`;
      const running = await startNginx(nginx, sandbox.path('nginx'), { text, port }, sandbox.path('.'));
      dials.set('nginx', `127.0.0.1:${port}`);
      stops.push(() => running.stop());
    }
    proxy = await TestServer.runWith(sandbox, (admin, http) => ({
      admin: { listen: `127.0.0.1:${admin}` },
      apps: {
        http: {
          servers: {
            s: {
              listen: [`127.0.0.1:${http}`],
              automatic_https: { disable: true },
              routes: [...dials].map(([name, dial]) => ({
                match: [{ header: { 'X-Upstream': [name] } }],
                handle: [
                  {
                    handler: 'reverse_proxy',
                    transport: {
                      protocol: 'http',
                      versions: ['3'],
                      tls: { root_ca_pem_files: [sandbox.path('authority.pem')] },
                    },
                    upstreams: [{ dial }],
                  },
                ],
              })),
            },
          },
        },
      },
    }));
  });

  after(async () => {
    for (const stop of stops) await stop();
    await sandbox?.remove();
  });

  const ask = (name: string, path: string, options: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${proxy.httpPort}${path}`, { ...options, headers: { 'X-Upstream': name } });

  for (const name of ['Sluice', 'quic-go', 'nginx']) {
    it(`the proxy sends concurrent requests to ${name} over HTTP/3`, async function () {
      if (!dials.has(name)) this.skip();
      const texts = await Promise.all(
        Array.from({ length: 300 }, async (_, i) => (await ask(name, `/request/${i}`)).text()),
      );
      expect(texts).to.deep.equal(texts.map((_, i) => `HTTP/3.0 /request/${i}`));
    });

    it(`the proxy forwards a large file from ${name} over HTTP/3`, async function () {
      if (!dials.has(name)) this.skip();
      const bodies = await Promise.all([1, 2, 3].map(async () => (await ask(name, '/files/large')).bytes()));
      for (const body of bodies) expect(createHash('sha256').update(body).digest('hex')).to.equal(digest);
    });

    it(`the proxy sends uploads to ${name} over HTTP/3`, async function () {
      if (!dials.has(name)) this.skip();
      const body = file.toString('base64', 0, 600_000);
      const answer = await ask(name, '/echo', { method: 'POST', body });
      expect((await answer.text()) === body).to.equal(true);
    });
  }

  it('the proxy opens WebSockets to Sluice over HTTP/3', async () => {
    const { httpPort } = proxy;
    const headers = {
      'X-Upstream': 'Sluice',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const opening = request({ port: httpPort, path: '/socket', headers });
    opening.end();
    const [response, socket] = (await once(opening, 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
    expect(response.headers['sec-websocket-accept']).to.equal('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    // A masked WebSocket text frame.
    const frame = Buffer.from('81850000000068656c6c6f', 'hex');
    socket.write(frame);
    const [echoed] = (await once(socket, 'data')) as [Buffer];
    expect(echoed.equals(frame)).to.equal(true);
    socket.destroy();
  });
});
