/** Tests HTTP/2 with other software: PROXY protocol headers, gRPC through the reverse proxy, and a browser. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const run = promisify(execFile);
const name = 'localhost';

/** Script of the browser test. It sends many concurrent requests, uploads a file, aborts one download, and completes another. */
const script = `(async () => {
  const texts = await Promise.all([...Array(60).keys()].map((i) => fetch('/small?' + i).then((r) => r.text())));
  const upload = await fetch('/echo', { method: 'POST', body: 'x'.repeat(300000) }).then((r) => r.text());
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 5);
  await fetch('/echo?aborted', { method: 'POST', body: 'x'.repeat(300000), signal: abort.signal }).catch(() => 0);
  const { nextHopProtocol } = performance.getEntriesByType('navigation')[0];
  document.body.textContent = [texts.filter((t) => t === 'small').length, upload.length, nextHopProtocol].join(' ');
})()`;

describe('HTTP/2 with other HTTP software', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let upstream: Http2Server;
  let ports: { admin: number; web: number; proxied: number; plain: number; grpc: number };
  /** Number of streams canceled at the upstream. */
  let cancelled = 0;

  before(async () => {
    sandbox = new Sandbox();
    upstream = createServer().on('stream', speakGrpc).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const [admin, web, proxied, plain, grpc] = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    ports = { admin, web, proxied, plain, grpc } as typeof ports;
    const file = await sandbox.write('config.json', configuration());
    const server = await TestServer.start(sandbox, ['--config', file], ports.admin, ports.plain);
    await server.logged('obtained certificate');
  });
  after(async () => {
    upstream.close();
    await sandbox.remove();
  });

  function configuration(): object {
    const shared = { automatic_https: { disable: true } };
    const remote = { handle: [{ handler: 'static_response', body: '{http.request.remote} {http.request.proto}' }] };
    const wrapper = { wrapper: 'proxy_protocol', fallback_policy: 'USE' };
    const page = { 'Content-Type': ['text/html'] };
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const proxy = {
      handler: 'reverse_proxy',
      upstreams: [{ dial }],
      transport: { protocol: 'http', versions: ['h2c'] },
    };
    return {
      admin: { listen: `127.0.0.1:${ports.admin}` },
      apps: {
        pki: { certificate_authorities: { local: { install_trust: false } } },
        tls: {
          certificates: { automate: [name] },
          automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
        },
        http: {
          servers: {
            web: {
              ...shared,
              listen: [`127.0.0.1:${ports.web}`],
              tls_connection_policies: [{ default_sni: name }],
              routes: [
                {
                  match: [{ path: ['/'] }],
                  handle: [
                    { handler: 'static_response', headers: page, body: `<body><script>${script}</script></body>` },
                  ],
                  terminal: true,
                },
                {
                  match: [{ path: ['/echo'] }],
                  handle: [{ handler: 'static_response', body: '{http.request.body}' }],
                  terminal: true,
                },
                { handle: [{ handler: 'static_response', body: 'small' }] },
              ],
            },
            proxied: {
              ...shared,
              listen: [`127.0.0.1:${ports.proxied}`],
              listener_wrappers: [wrapper, { wrapper: 'tls' }],
              tls_connection_policies: [{ default_sni: name }],
              routes: [remote],
            },
            plain: {
              ...shared,
              listen: [`127.0.0.1:${ports.plain}`],
              protocols: ['h1', 'h2c'],
              listener_wrappers: [wrapper],
              routes: [remote],
            },
            grpc: {
              ...shared,
              listen: [`127.0.0.1:${ports.grpc}`],
              protocols: ['h1', 'h2c'],
              routes: [{ handle: [proxy] }],
            },
          },
        },
      },
    };
  }

  describe('HTTP/2 after a PROXY header', () => {
    const version2 = Buffer.from('0d0a0d0a000d0a515549540a2111000c0a0405060a0909091000 01bb'.replace(' ', ''), 'hex');
    const lines: readonly [what: string, header: Buffer, remote: string][] = [
      ['version 1', Buffer.from('PROXY TCP4 10.1.2.3 10.9.9.9 1111 443\r\n'), '10.1.2.3:1111'],
      ['version 2', version2, '10.4.5.6:4096'],
    ];
    for (const [what, header, remote] of lines) {
      for (const bytewise of [false, true]) {
        for (const secure of [false, true]) {
          it(`HTTP/2 works after a ${what} PROXY header${bytewise ? ', sent byte by byte,' : ''} over ${secure ? 'TLS' : 'TCP'}`, async () => {
            const socket = connectSocket(secure ? ports.proxied : ports.plain, '127.0.0.1').setNoDelay(true);
            await once(socket, 'connect');
            for (const piece of bytewise ? header : [header]) {
              socket.write(typeof piece === 'number' ? Buffer.from([piece]) : piece);
              if (bytewise) await sleep(1);
            }
            const session = sessionOver(secure ? await secured(socket) : socket);
            const texts = await Promise.all(
              Array.from({ length: 3 }, async () => (await responseOf(session.request())).text),
            );
            expect(texts).to.deep.equal(Array.from({ length: 3 }, () => `${remote} HTTP/2.0`));
            session.destroy();
          });
        }
      }
    }
  });

  /** Echoes gRPC messages. Rejects `/missing` with a headers-only response. */
  function speakGrpc(stream: ServerHttp2Stream, head: IncomingHttpHeaders): void {
    stream.on('error', () => undefined).on('aborted', () => cancelled++);
    const type = { ':status': 200, 'content-type': 'application/grpc' };
    if (head[':path'] === '/missing')
      stream.respond({ ...type, 'grpc-status': '5', 'x-te': String(head.te) }, { endStream: true });
    else {
      stream.respond(type, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-te': String(head.te) }));
      stream.on('data', (chunk: Buffer) => stream.write(chunk)).on('end', () => stream.end());
    }
  }

  describe('gRPC over cleartext through the reverse proxy', () => {
    let session: ClientHttp2Session;
    before(() => {
      session = connect(`http://127.0.0.1:${ports.grpc}`).on('error', () => undefined);
    });
    after(() => session.destroy());

    const call = (path: string): ClientHttp2Stream =>
      session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' });
    const message = Buffer.from('\0\0\0\0\x05hello', 'latin1');

    it('the proxy forwards gRPC messages and trailers for many concurrent calls', async () => {
      const calls = Array.from({ length: 50 }, async () => {
        const stream = call('/echo');
        stream.end(message);
        return responseOf(stream);
      });
      for (const { text, trailers } of await Promise.all(calls)) {
        expect(text).to.equal(message.toString());
        expect(trailers).to.include({ 'grpc-status': '0', 'x-te': 'trailers' });
      }
    });

    it('the proxy forwards each message of a gRPC stream immediately', async () => {
      const stream = call('/echo');
      for (let i = 0; i < 5; i++) {
        stream.write(message);
        expect((await once(stream, 'data'))[0]).to.deep.equal(message);
      }
      stream.end();
      await once(stream.resume(), 'end');
    });

    it('the proxy forwards a gRPC status without a body', async () => {
      const { head, text } = await responseOf(call('/missing').end());
      expect([head['grpc-status'], text]).to.deep.equal(['5', '']);
    });

    it('the proxy cancels the upstream call when the client cancels a gRPC call', async () => {
      const before = cancelled;
      const stream = call('/echo');
      stream.on('error', () => undefined).write(message);
      await once(stream, 'data');
      // Closes the stream with the default code. With another code, this client would end its request body first.
      stream.close();
      for (let i = 0; i < 500 && cancelled === before; i++) await sleep(10);
      expect(cancelled).to.equal(before + 1);
    });
  });

  it('Chromium loads pages over HTTP/2 @long', async function () {
    const browser = await run('sh', ['-c', 'command -v chromium']).catch(() => null);
    if (browser === null) this.skip();
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors'];
    const rest = [`--user-data-dir=${sandbox.path('browser')}`, '--virtual-time-budget=20000', '--dump-dom'];
    const { stdout } = await run('chromium', [...flags, ...rest, `https://${name}:${ports.web}/`], { timeout: 50_000 });
    expect(stdout).to.include('60 300000 h2');
  });
});

async function secured(socket: Socket): Promise<Socket> {
  const secure = connectTls({ socket, servername: name, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  await once(secure, 'secureConnect');
  return secure;
}

function sessionOver(socket: Socket): ClientHttp2Session {
  return connect(`http://${name}`, { createConnection: () => socket }).on('error', () => undefined);
}

/** Returns the headers, body and trailers of a response. */
async function responseOf(
  stream: ClientHttp2Stream,
): Promise<{ head: IncomingHttpHeaders; text: string; trailers: IncomingHttpHeaders }> {
  let [text, head, trailers] = ['', {}, {}] as [string, IncomingHttpHeaders, IncomingHttpHeaders];
  stream.on('response', (fields: IncomingHttpHeaders) => (head = fields));
  stream.on('trailers', (fields: IncomingHttpHeaders) => (trailers = fields));
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(stream, 'end');
  return { head, text, trailers };
}
