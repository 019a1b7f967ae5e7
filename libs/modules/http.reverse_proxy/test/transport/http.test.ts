import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { BufferedBody, type Transport, UpstreamSocket, parseDialAddress } from '@sluice/http-app';
import { register as registerNetworkProxies } from '@sluice/caddy.network_proxy';
import type { JsonObject } from '@sluice/base';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { fields, idleSink, listen, makeTransport, plainRequest, scripted, send, type Listening } from './support.ts';

describe('http.reverse_proxy.transport.http', () => {
  const opened: { close(): Promise<void> | void }[] = [];
  let certificate: TestCertificate;
  let cert = '';
  let key = '';

  before(async () => {
    certificate = await makeCertificate();
    ({ cert, key } = certificate);
  });

  after(() => certificate.remove());

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  async function transport(config: JsonObject): Promise<Transport> {
    const made = await makeTransport({ protocol: 'http', ...config }, registerNetworkProxies);
    opened.push(made);
    return made.instance;
  }

  function open<T extends { close(): Promise<void> | void }>(each: T): T {
    opened.push(each);
    return each;
  }

  async function http2Upstream(secure: boolean): Promise<Listening> {
    const server = secure ? createSecureServer({ key, cert, allowHTTP1: true }) : createHttp2Server();
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        stream.additionalHeaders({ ':status': 103, link: '</a>' });
        stream.respond(
          {
            ':status': 200,
            'x-path': String(headers[':path']),
            'x-host': String(headers[':authority']),
            'x-te': String(headers['te']),
          },
          { waitForTrailers: true },
        );
        stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': 'yes' }));
        stream.end(Buffer.concat([Buffer.from('got '), ...chunks]));
      });
    });
    return open(await listen(server));
  }

  it('the HTTP transport supports cleartext HTTP/2', async () => {
    const upstream = await http2Upstream(false);
    const client = await transport({ versions: ['h2c'] });
    for (const body of ['one', 'two']) {
      const response = await send(client, upstream.dial, {
        method: 'POST',
        rawPath: '/p',
        query: 'q',
        body: new BufferedBody(Buffer.from(body)),
        headers: fields({ te: 'trailers' }),
      });
      expect(response).to.include({ status: 200, proto: 'HTTP/2.0', body: `got ${body}` });
      expect(response.headers.get('x-path')).to.equal('/p?q');
      expect(response.headers.get('x-host')).to.equal('h.test');
      expect(response.headers.get('x-te')).to.equal('trailers');
      expect(response.trailers?.get('x-end')).to.equal('yes');
      expect(response.informational).to.deep.equal([103]);
    }
  });

  it('the HTTP transport multiplexes requests over one HTTP/2 connection', async () => {
    const upstream = await http2Upstream(true);
    let connections = 0;
    const proxy = open(
      await listen(
        createServer((socket) => {
          connections++;
          const inner = connect(upstream.port, '127.0.0.1');
          socket.pipe(inner).pipe(socket);
          socket.on('close', () => inner.destroy());
          inner.on('error', () => undefined);
        }),
      ),
    );
    const client = await transport({ tls: { root_ca_pem_files: [certificate.certFile] } });
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(client, proxy.dial)));
    expect(new Set(responses.map((response) => `${response.status} ${response.proto}`))).to.deep.equal(
      new Set(['200 HTTP/2.0']),
    );
    expect(connections).to.equal(1);
  });

  // Attack in docs/security.md: Empty or truncated CA files.
  it('the HTTP transport rejects empty or truncated CA files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-transport-'));
    const file = join(folder, 'authorities.pem');
    try {
      for (const content of ['', 'hello', cert.slice(0, cert.length / 2), cert + cert.slice(0, cert.length / 2)]) {
        writeFileSync(file, content);
        const outcome = await transport({ tls: { root_ca_pem_files: [file] } }).then(() => 'taken', String);
        expect(outcome, JSON.stringify(content)).to.match(/root_ca_pem_files\[0\]/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the HTTP transport uses HTTP/1.1 over TLS if the upstream does not support HTTP/2', async () => {
    const server = createTlsServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () =>
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${String(socket.servername || 'none').length}\r\n\r\n${String(socket.servername || 'none')}`,
        ),
      );
    });
    const upstream = open(await listen(server));
    const trusted = { root_ca_pem_files: [certificate.certFile] };
    const tries: readonly [tls: JsonObject, expected: string][] = [
      [trusted, 'none'],
      [{ ...trusted, server_name: 'up.test' }, 'up.test'],
      [{ ...trusted, server_name: 'other.test' }, 'error'],
      [{}, 'error'],
      [{ insecure_skip_verify: true, server_name: 'other.test' }, 'other.test'],
      [{ root_ca_pool: [cert.replaceAll(/-----.*-----|\n/g, '')] }, 'none'],
    ];
    for (const [tls, expected] of tries) {
      const body = await send(await transport({ tls }), upstream.dial).then(
        (response) => response.body,
        (error: { code?: string }) => (error.code === 'ERR_UPSTREAM' ? 'error' : String(error)),
      );
      expect(body, JSON.stringify(tls)).to.equal(expected);
    }
  });

  // Attack in docs/security.md: An upstream that supports only HTTP/1.1 although only HTTP/2 is configured.
  it('the HTTP transport falls back to HTTP/1.1 if only HTTP/2 is configured and the upstream does not offer it', async () => {
    for (const ALPNProtocols of [['http/1.1'], undefined]) {
      const server = createTlsServer(
        { key, cert, ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }) },
        (socket) => {
          socket.on('error', () => undefined);
          socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none'));
        },
      );
      const upstream = open(await listen(server));
      const client = await transport({ versions: ['2'], tls: { root_ca_pem_files: [certificate.certFile] } });
      for (let i = 0; i < 2; i++)
        expect(await send(client, upstream.dial)).to.include({ status: 200, body: 'one', proto: 'HTTP/1.1' });
    }
    const modern = await http2Upstream(true);
    const client = await transport({ versions: ['2'], tls: { root_ca_pem_files: [certificate.certFile] } });
    expect((await send(client, modern.dial)).proto).to.equal('HTTP/2.0');
  });

  // Attack in docs/security.md: One-byte chunks through `reverse_proxy`.
  it('the HTTP transport delivers all one-byte chunks of a read together', async () => {
    const upstream = open(
      await scripted((_received, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`);
      }),
    );
    const response = await send(await transport({}), upstream.dial);
    expect(response.body).to.equal('x'.repeat(20_000));
    expect(response.pieces).to.be.below(50);
  });

  it('the HTTP transport writes the fields of a WebSocket handshake as in RFC 6455', async () => {
    const heads: string[] = [];
    const upstream = open(
      await scripted((received, socket) => {
        const text = received.toString();
        heads.push(text.slice(text.lastIndexOf('GET ')));
        socket.end('HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const client = await transport({});
    const names = ['key', 'version', 'protocol', 'extensions', 'accept', 'other'];
    const headers = fields(Object.fromEntries(names.map((name) => [`sec-websocket-${name}`, 'v'])));
    await send(client, upstream.dial, { headers, upgrade: 'websocket' });
    await send(client, upstream.dial, { headers });
    const [handshake = '', plain = ''] = heads;
    for (const name of ['Key', 'Version', 'Protocol', 'Extensions', 'Accept'])
      expect(handshake).to.contain(`\r\nSec-WebSocket-${name}: v\r\n`);
    expect(handshake).to.contain('\r\nSec-Websocket-Other: v\r\n');
    expect(plain).to.contain('\r\nSec-Websocket-Key: v\r\n').and.not.contain('WebSocket');
  });

  it('the HTTP transport stops reading interim responses that are not consumed', async () => {
    let written = 0;
    const upstream = open(
      await scripted((_received, socket) => {
        const more = (): void => {
          while (written < 64 * 1024 * 1024) {
            const text = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000);
            written += text.length;
            if (!socket.write(text)) return;
          }
        };
        socket.on('drain', more);
        more();
      }),
    );
    let taken = 0;
    const call = (await transport({})).send(parseDialAddress(upstream.dial), plainRequest(), {
      ...idleSink,
      onInformational: () => ++taken < 10,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(taken).to.equal(10);
    expect(written).to.be.below(32 * 1024 * 1024);
    call.resume();
    expect(taken).to.equal(11);
    call.abort();
  });

  // Attack in docs/security.md: Endless 1xx responses.
  it('the HTTP transport limits unconsumed interim responses over HTTP/2', async () => {
    const server = createHttp2Server();
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined);
      const more = (): void => {
        for (let i = 0; i < 100 && !stream.destroyed; i++)
          stream.additionalHeaders({ ':status': 103, link: 'x'.repeat(1000) });
        if (!stream.destroyed) setTimeout(more, 1);
      };
      more();
    });
    const upstream = open(await listen(server));
    const client = await transport({ versions: ['h2c'] });
    const message = await new Promise<string>((resolve) => {
      client.send(parseDialAddress(upstream.dial), plainRequest(), {
        ...idleSink,
        onInformational: () => false,
        onError: (error) => resolve(error.message),
      });
    });
    expect(message).to.equal('the upstream sends interim responses faster than the client reads them');
  });

  describe('http.reverse_proxy.transport.http without free file descriptors', () => {
    const connectSocket = UpstreamSocket.prototype.connect;
    let left = 0;

    beforeEach(() => {
      UpstreamSocket.prototype.connect = function connect(this: UpstreamSocket, ...args: unknown[]) {
        if (left-- > 0) return Reflect.apply(connectSocket, this, args) as UpstreamSocket;
        process.nextTick(() => this.destroy(Object.assign(new Error('no descriptor'), { code: 'EMFILE' })));
        return this;
      };
    });
    afterEach(() => {
      UpstreamSocket.prototype.connect = connectSocket;
    });

    // Attack in docs/security.md: File descriptor exhaustion.
    it('the HTTP transport shares existing connections if no file descriptor is available', async () => {
      let connections = 0;
      const server = createHttpServer((_request, response) => setTimeout(() => response.end('ok'), 2));
      server.on('connection', () => connections++);
      const upstream = open(await listen(server));
      const client = await transport({ versions: ['1.1'] });
      left = 2;
      const responses = await Promise.all(Array.from({ length: 40 }, () => send(client, upstream.dial)));
      expect(responses.map(({ status }) => status)).to.deep.equal(Array(40).fill(200));
      expect(connections).to.equal(2);
    });

    it('the HTTP transport fails requests if no connection is available or the wait takes too long', async () => {
      const upstream = open(await listen(createHttpServer(() => undefined)));
      left = 0;
      const failed = async (client: Transport): Promise<string> =>
        send(client, upstream.dial).then(
          () => 'responded',
          ({ message }: Error) => message,
        );
      const client = await transport({ versions: ['1.1'] });
      expect(await Promise.all([failed(client), failed(client)])).to.deep.equal(
        Array(2).fill(`cannot connect to ${upstream.dial}: no descriptor`),
      );
      left = 1;
      const impatient = await transport({ versions: ['1.1'], dial_timeout: '30ms' });
      const busy = impatient.send(parseDialAddress(upstream.dial), plainRequest(), idleSink);
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await failed(impatient)).to.equal(`cannot connect to ${upstream.dial}: no descriptor`);
      busy.abort();
    });
  });

  it('the HTTP transport presents its client certificate', async () => {
    const server = createTlsServer({ key, cert, ca: [cert], requestCert: true, rejectUnauthorized: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write('HTTP/1.1 204 No\r\n\r\n'));
    });
    const upstream = open(await listen(server));
    const files = { client_certificate_file: certificate.certFile, client_certificate_key_file: certificate.keyFile };
    expect(
      (await send(await transport({ tls: { insecure_skip_verify: true, ...files } }), upstream.dial)).status,
    ).to.equal(204);
    const error = await send(await transport({ tls: { insecure_skip_verify: true } }), upstream.dial).catch(
      (reason: Error) => reason,
    );
    expect(error).to.include({ code: 'ERR_UPSTREAM' });
  });

  it('the HTTP transport does not use TLS for upstream ports that are excluded from TLS', async () => {
    const upstream = open(await scripted((_received, socket) => socket.write('HTTP/1.1 204 No\r\n\r\n')));
    expect(
      (await send(await transport({ tls: { except_ports: [String(upstream.port)] } }), upstream.dial)).status,
    ).to.equal(204);
  });

  it('the HTTP transport reports a failed TLS handshake', async () => {
    const upstream = open(await scripted((_received, socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')));
    const error = await send(await transport({ tls: {} }), upstream.dial).catch((reason: Error) => reason);
    expect(error).to.include({ code: 'ERR_UPSTREAM', kind: 'dial', status: 502 });
  });

  it('the HTTP transport uses forward proxies with absolute targets, CONNECT, or SOCKS', async () => {
    const upstream = open(
      await listen(createHttpServer((request, response) => response.end(`${request.method} ${request.url}`))),
    );
    const secured = open(
      await listen(
        createTlsServer({ key, cert }, (socket) =>
          socket
            .on('error', () => undefined)
            .on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntls')),
        ),
      ),
    );
    const seen: string[] = [];
    const proxy = open(
      await scripted((received, socket) => {
        const text = received.toString('latin1');
        const [, host, port] = /^CONNECT ([\d.]+):(\d+) /.exec(text) ?? [];
        if (text.startsWith('GET http://')) {
          seen.push(text);
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabs');
        } else if (host !== undefined && text.endsWith('\r\n\r\n')) {
          seen.push(text);
          socket.removeAllListeners('data');
          const inner = connect(Number(port), host, () => socket.write('HTTP/1.1 200 Established\r\n\r\n'));
          inner.on('error', () => undefined);
          socket.pipe(inner).pipe(socket);
        }
      }),
    );
    const socks = open(
      await scripted((received, socket) => {
        if (received.length === 4) socket.write(Buffer.from([5, 2]));
        else if (received.length === 4 + 3 + 'user'.length + 'pass'.length) socket.write(Buffer.from([1, 0]));
        else if (received.length > 24) {
          const port = received.readUInt16BE(received.length - 2);
          socket.removeAllListeners('data');
          const inner = connect(port, '127.0.0.1', () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
          inner.on('error', () => undefined);
          socket.pipe(inner).pipe(socket);
        }
      }),
    );
    const plain = await transport({ forward_proxy_url: `http://user:p%40ss@${proxy.dial}` });
    expect((await send(plain, upstream.dial, { rawPath: '/x' })).body).to.equal('abs');
    expect(seen[0])
      .to.contain(`GET http://${upstream.dial}/x HTTP/1.1\r\nHost: h.test\r\n`)
      .and.contain(`Proxy-Authorization: Basic ${btoa('user:p@ss')}\r\n`);
    const tunnelled = await transport({
      network_proxy: { from: 'url', url: `http://${proxy.dial}` },
      tls: { insecure_skip_verify: true },
    });
    expect((await send(tunnelled, secured.dial)).body).to.equal('tls');
    expect(seen[1]).to.contain(`CONNECT ${secured.dial} HTTP/1.1\r\nHost: ${secured.dial}\r\n`);
    expect(
      (
        await send(await transport({ forward_proxy_url: `socks5://user:pass@${socks.dial}` }), upstream.dial, {
          rawPath: '/s',
        })
      ).body,
    ).to.equal('GET /s');
  });

  // Attack in docs/security.md: CVE-2026-48618, CVE-2026-48930, CVE-2026-48934, CVE-2026-56850, CVE-2026-58040.
  it('the HTTP transport shares connections only between proxies with equal options', async () => {
    let connections = 0;
    const upstream = open(
      await listen(
        createServer((socket) => {
          connections++;
          socket.on('data', () => socket.write('HTTP/1.1 204 No\r\n\r\n'));
        }),
      ),
    );
    const client = await transport({ read_timeout: '5s' });
    for (let i = 0; i < 3; i++) await send(client, upstream.dial);
    expect(connections).to.equal(1);
    await send(await transport({ read_timeout: '6s' }), upstream.dial);
    expect(connections).to.equal(2);
  });

  it('the HTTP transport removes the zone of an IPv6 address from the Host header', async () => {
    const upstream = open(
      await scripted((received, socket) => {
        const host = /\r\nHost: (.*)\r\n/.exec(received.toString('latin1'))?.[1] ?? '';
        socket.write(`HTTP/1.1 204 No\r\nX-Host: ${host}\r\nConnection: close\r\n\r\n`);
      }),
    );
    const { headers } = await send(await transport({}), upstream.dial, { host: '[fe80::1%25en0]:80' });
    expect(headers.get('x-host')).to.equal('[fe80::1]:80');
  });

  it('the HTTP transport waits for a 100 Continue response up to its timeout', async () => {
    const bodyOf = (received: Buffer): string => received.toString('latin1').split('\r\n\r\n')[1] ?? '';
    let early: string | null = null;
    const saying = open(
      await scripted((received, socket) => {
        if (early === null) {
          early = bodyOf(received);
          setTimeout(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 30);
        }
        if (bodyOf(received) === 'late') socket.write('HTTP/1.1 204 No\r\n\r\n');
      }),
    );
    const silent = open(
      await scripted(
        (received, socket) => void (bodyOf(received) === 'late' && socket.write('HTTP/1.1 204 No\r\n\r\n')),
      ),
    );
    const what = {
      method: 'POST',
      body: new BufferedBody(Buffer.from('late')),
      headers: fields({ expect: '100-continue' }),
    };
    const client = await transport({ expect_continue_timeout: '100ms' });
    expect(await send(client, saying.dial, what)).to.deep.include({ status: 204, informational: [100] });
    expect(early).to.equal('');
    expect((await send(client, silent.dial, { ...what, body: new BufferedBody(Buffer.from('late')) })).status).to.equal(
      204,
    );
  });
});
