import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { parseDialAddress, RequestBody, type BodySink, type Transport } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { h3Error } from '@sluice/http3';
import { nativeProblem } from '@sluice/native';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { TestHttp3Server, type Respond } from './http3-server.ts';
import { fields, idleSink, makeTransport, plainRequest, send } from './support.ts';

/** A request body that pauses while its reader is busy. */
class SlowBody extends RequestBody {
  readonly length = -1;
  readonly trailers: HeaderMap | null;
  consumed = false;
  readonly #pieces: Buffer[];
  #sink: BodySink | null = null;

  constructor(pieces: readonly Buffer[], trailers: HeaderMap | null = null) {
    super();
    this.#pieces = [...pieces];
    this.trailers = trailers;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    this.#sink = sink;
    this.resume();
  }

  resume(): void {
    const sink = this.#sink;
    if (sink === null) return;
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift())
      if (!sink.onData(piece)) return;
    this.#sink = null;
    sink.onEnd();
  }
}

describe('http.reverse_proxy.transport.http over HTTP/3', () => {
  let certificate: TestCertificate;
  const cleanups: (() => unknown)[] = [];
  before(async function () {
    if (nativeProblem() !== null) this.skip();
    certificate = await makeCertificate();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  after(() => certificate?.remove());

  async function listen(
    respond: Respond,
    options: Parameters<typeof TestHttp3Server.listen>[2] = {},
  ): Promise<TestHttp3Server> {
    const server = await TestHttp3Server.listen(respond, certificate, options);
    cleanups.push(() => server.close());
    return server;
  }

  async function transportOf(options: JsonObject = {}, tls: JsonObject = {}): Promise<Transport> {
    const provisioned = await makeTransport({
      protocol: 'http',
      versions: ['3'],
      tls: { root_ca_pem_files: [certificate.certFile], ...tls },
      ...options,
    });
    cleanups.push(() => provisioned.close());
    return provisioned.instance;
  }

  const hello: Respond = ({ stream }) => {
    stream.respond([':status', '200', 'x-up', 'yes'], false);
    stream.write(Buffer.from('hello'));
    stream.end(null);
  };

  it('the HTTP transport sends requests over one HTTP/3 connection', async () => {
    const server = await listen(({ stream, fields: { method, path, authority, headers } }) => {
      stream.respond([':status', '201', 'x-seen', `${method} ${path} ${authority} ${headers.get('x-a')}`], true);
    });
    const transport = await transportOf();
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        send(transport, server.dial, { rawPath: `/${n}`, query: 'q', headers: fields({ 'x-a': 'b' }) }),
      ),
    );
    expect(answers.map(({ status, proto, headers }) => [status, proto, headers.get('x-seen')])).to.deep.equal(
      [1, 2, 3].map((n) => [201, 'HTTP/3.0', `GET /${n}?q h.test b`]),
    );
    expect(server.connections).to.have.lengthOf(1);
  });

  it('the HTTP transport sends bodies and trailers in both directions over HTTP/3', async () => {
    const body = Buffer.alloc(700_000, 'ab');
    const server = await listen(({ stream, body: seen, trailers }) => {
      stream.interim([':status', '103', 'link', '</a>']);
      stream.respond([':status', '200'], false);
      stream.write(seen);
      stream.end(['x-end', trailers?.get('x-sum') ?? 'none']);
    });
    const transport = await transportOf();
    const trailers = fields({ 'x-sum': '42' });
    const answer = await send(transport, server.dial, {
      method: 'POST',
      body: new SlowBody([body.subarray(0, 100), body.subarray(100)], trailers),
    });
    expect(answer.body === body.toString()).to.equal(true);
    expect(answer.informational).to.deep.equal([103]);
    expect(answer.trailers?.get('x-end')).to.equal('42');
  });

  // Attack in docs/security.md: HTTP/3 responses that the client does not read.
  it('the HTTP transport pauses an HTTP/3 response while the client does not read', async () => {
    const size = 4 * 1024 * 1024;
    const server = await listen(({ stream, fields: { path } }) => {
      stream.respond([':status', '200'], path === '/small');
      stream.write(Buffer.alloc(size, 'x'));
      stream.end(null);
    });
    const transport = await transportOf();
    let received = 0;
    const ended = Promise.withResolvers<void>();
    const call = transport.send(parseDialAddress(server.dial), plainRequest(), {
      ...idleSink,
      onData: (chunk) => {
        received += chunk.length;
        return received > 100_000;
      },
      onEnd: () => ended.resolve(),
      onError: (error) => ended.reject(error),
    });
    await sleep(200);
    expect(received).to.be.below(10_000);
    // Other responses must not be affected.
    expect((await send(transport, server.dial, { rawPath: '/small' })).status).to.equal(200);
    while (received <= 100_000) {
      call.resume();
      await sleep(1);
    }
    call.resume();
    await ended.promise;
    expect(received).to.equal(size);
  });

  it('the HTTP transport passes on HTTP/3 responses without a body', async () => {
    const server = await listen(({ stream, fields: { method, path } }) => {
      stream.respond([':status', path.slice(1), 'content-length', '5'], method === 'HEAD' || path !== '/200');
    });
    const transport = await transportOf();
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ] as const) {
      const answer = await send(transport, server.dial, { method, rawPath: `/${status}` });
      expect([answer.status, answer.headers.get('content-length'), answer.body]).to.deep.equal([status, '5', '']);
    }
  });

  it('the HTTP transport resets the HTTP/3 stream of a canceled request', async () => {
    const server = await listen(() => undefined);
    const transport = await transportOf();
    const call = transport.send(parseDialAddress(server.dial), plainRequest(), idleSink);
    while (server.requests === 0) await sleep(5);
    call.abort();
    while (server.closeCodes.length === 0) await sleep(5);
    expect(server.closeCodes).to.deep.equal([h3Error.requestCancelled]);
  });

  it('the HTTP transport retries a request rejected over HTTP/3, and reports a reset request as an error', async () => {
    let rejects = 2;
    const server = await listen((request) => {
      if (request.fields.path === '/reset') request.stream.reset(h3Error.internalError);
      else if (rejects-- > 0) request.stream.reset(h3Error.requestRejected);
      else hello(request);
    });
    const transport = await transportOf();
    expect((await send(transport, server.dial)).body).to.equal('hello');
    expect(server.requests).to.equal(3);
    const failure = await send(transport, server.dial, { rawPath: '/reset' }).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal('the upstream reset the stream with code 0x102');
  });

  // Attack in docs/security.md: An HTTP/3 upstream that rejects every request.
  it('the HTTP transport gives up if an HTTP/3 upstream repeatedly rejects a request', async () => {
    const server = await listen(({ stream }) => stream.reset(h3Error.requestRejected));
    const failure = await send(await transportOf(), server.dial).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'closed', status: 502 });
    expect(server.requests).to.equal(6);
  });

  it('the HTTP transport retries requests rejected by GOAWAY on another HTTP/3 connection', async () => {
    const server = await listen(hello, {
      prepare: (connection) => {
        if (server.connections.length > 0) return;
        connection.onHead = (stream) => {
          // Rejects the second request and lets the first one finish.
          if (stream.id > 0) return true;
          connection.http.shutdown();
          connection.http.finishShutdown();
          setTimeout(() => stream.respond([':status', '202'], true), 20);
          return true;
        };
      },
    });
    const transport = await transportOf();
    const answers = await Promise.all([send(transport, server.dial), send(transport, server.dial)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 200]);
    expect(server.connections).to.have.lengthOf(2);
  });

  it('the HTTP transport retries a request if the upstream has closed an idle HTTP/3 connection', async () => {
    const server = await listen(hello);
    const transport = await transportOf();
    await send(transport, server.dial);
    const [first] = server.connections;
    first!.onHead = () => {
      first!.http.end(h3Error.noError);
      return true;
    };
    expect((await send(transport, server.dial)).body).to.equal('hello');
    expect(server.connections).to.have.lengthOf(2);
  });

  it('the HTTP transport resumes sessions of HTTP/3 upstreams, separately for each upstream and transport', async () => {
    const server = await listen(hello, { ticketKeys: Buffer.alloc(80, 7) });
    const other = await listen(hello, { ticketKeys: Buffer.alloc(80, 7) });
    const transport = await transportOf();
    for (let i = 0; i < 3; i++) {
      expect((await send(transport, server.dial)).body).to.equal('hello');
      server.connections.at(-1)!.http.end(h3Error.noError);
      await sleep(50);
    }
    await send(transport, other.dial);
    await send(await transportOf(), server.dial);
    expect([server.resumed, other.resumed]).to.deep.equal([[false, true, true, false], [false]]);
    // The transport obtains the upstream's certificate from the resumed session.
    const identity = await transportOf({}, { subject_alt_names: ['up.test'], server_name: 'other.test' });
    for (let i = 0; i < 2; i++) {
      await send(identity, other.dial);
      other.connections.at(-1)!.http.end(h3Error.noError);
      await sleep(50);
    }
    expect(other.resumed).to.deep.equal([false, false, true]);
  });

  it('HTTP/3 requests wait while the upstream does not allow more streams', async () => {
    let running = 0;
    let peak = 0;
    const server = await listen(
      ({ stream }) => {
        peak = Math.max(peak, ++running);
        setTimeout(() => {
          running -= 1;
          stream.respond([':status', '200'], true);
        }, 5);
      },
      { streams: 4 },
    );
    const transport = await transportOf();
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(transport, server.dial)));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    expect(peak).to.be.at.most(4);
    expect(server.connections).to.have.lengthOf(1);
  });

  it('the HTTP transport reports HTTP/3 upstreams that do not respond in time', async () => {
    const server = await listen(() => undefined);
    const transport = await transportOf({ response_header_timeout: '50ms' });
    const failure = await send(transport, server.dial).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'timeout', status: 504 });
    const absent = await transportOf({ dial_timeout: '100ms' });
    const { dial } = await listen(hello);
    await cleanups.pop()?.();
    expect(await send(absent, dial).catch((error: unknown) => error)).to.include({ kind: 'dial-timeout', status: 504 });
  });

  it('the HTTP transport applies timeouts to requests on a connection that the HTTP/3 upstream is shutting down', async () => {
    const server = await listen(hello, {
      prepare: (connection) => {
        connection.onHead = () => {
          connection.http.shutdown();
          return true;
        };
      },
    });
    const transport = await transportOf({ response_header_timeout: '100ms' });
    const failure = await send(transport, server.dial).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'timeout', status: 504 });
  });

  it('the HTTP transport opens another HTTP/3 connection if the upstream does not respond to packets', async () => {
    const server = await listen(hello);
    const transport = await transportOf();
    // The first round trip takes long, because the code has not run before. More of them give an estimate for the probe timeout.
    for (let i = 0; i < 30; i++) await send(transport, server.dial);
    const before = server.losePackets();
    const lost = send(transport, server.dial).catch((error: unknown) => error);
    await sleep(1000);
    before();
    expect((await send(transport, server.dial)).body).to.equal('hello');
    expect(server.connections).to.have.lengthOf(2);
    expect(((await lost) as { body: string }).body).to.equal('hello');
  });

  it('the HTTP transport verifies the certificate of an HTTP/3 upstream', async () => {
    const server = await listen(hello);
    const failureOf = async (tls: JsonObject): Promise<unknown> =>
      send(await transportOf({}, tls), server.dial).catch((error: unknown) => error);
    expect(await failureOf({ root_ca_pem_files: null })).to.include({ kind: 'dial' });
    expect(await failureOf({ server_name: 'other.test' })).to.include({ kind: 'dial' });
    expect(await failureOf({ subject_alt_names: ['other.test'] })).to.include({ kind: 'dial' });
    for (const tls of [
      { server_name: 'up.test' },
      { subject_alt_names: ['up.test'], server_name: 'other.test' },
      { root_ca_pem_files: null, insecure_skip_verify: true, server_name: 'other.test' },
    ])
      expect((await send(await transportOf({}, tls), server.dial)).body).to.equal('hello');
  });

  it('the HTTP transport presents its client certificate over HTTP/3', async () => {
    const server = await listen(hello, { verification: 'require', authorities: [certificate.cert] });
    const files = { client_certificate_file: certificate.certFile, client_certificate_key_file: certificate.keyFile };
    expect((await send(await transportOf({}, files), server.dial)).status).to.equal(200);
    const [seen] = server.certificates;
    expect(new X509Certificate(seen!).subjectAltName).to.include('up.test');
    const refused = await send(await transportOf(), server.dial).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
  });

  it('the HTTP transport opens WebSockets with an extended CONNECT', async () => {
    const server = await listen(() => undefined, {
      prepare: (connection) => {
        connection.onHead = (stream, { method, protocol, headers }) => {
          expect([method, protocol, headers.get('sec-websocket-key')]).to.deep.equal([
            'CONNECT',
            'websocket',
            undefined,
          ]);
          stream.owner = {
            onData: (bytes) => {
              stream.write(Buffer.from(bytes));
              stream.credit(bytes.length);
            },
            onEnd: () => stream.end(null),
            onSent: () => undefined,
            onClose: () => undefined,
            fault: () => undefined,
          };
          stream.respond([':status', '200', 'sec-websocket-protocol', 'chat'], false);
          return true;
        };
      },
    });
    const transport = await transportOf();
    const { promise, resolve, reject } = Promise.withResolvers<{ headers: HeaderMap; socket: Duplex }>();
    const headers = fields({ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' });
    transport.send(parseDialAddress(server.dial), plainRequest({ upgrade: 'websocket', headers }), {
      ...idleSink,
      onUpgrade: (answer, socket) => resolve({ headers: answer, socket }),
      onError: reject,
    });
    const { headers: answer, socket } = await promise;
    expect(answer.get('sec-websocket-accept')).to.equal('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(answer.get('sec-websocket-protocol')).to.equal('chat');
    const sent = Buffer.alloc(600_000, 'abc');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.end(sent);
    await once(socket, 'end');
    expect(Buffer.concat(chunks).equals(sent)).to.equal(true);
  });

  it('the HTTP transport with version 3 rejects options that HTTP/3 does not support', async () => {
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{ versions: ['3', '2'] }, '"3" cannot be combined with other versions'],
      [{ tls: null }, '"3" requires tls'],
      [{ proxy_protocol: 'v2' }, 'PROXY protocol'],
      [{ forward_proxy_url: 'http://127.0.0.1:1' }, 'network proxy'],
    ];
    for (const [options, message] of cases) {
      const failure = await transportOf(options).catch((error: unknown) => error);
      expect((failure as Error).message).to.include(message);
    }
  });

  it('the HTTP transport with version 3 fails to load without the native bindings', async () => {
    process.env.SLUICE_NATIVE = 'off';
    try {
      const failure = await transportOf().catch((error: unknown) => error);
      expect((failure as Error).message).to.include('versions: HTTP/3 is not available');
    } finally {
      delete process.env.SLUICE_NATIVE;
    }
  });
});
