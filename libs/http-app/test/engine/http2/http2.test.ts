import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { expect } from 'chai';
import { HeaderMap, KeptNames } from '@sluice/http1';
import { paceRule, type Exchange } from '@sluice/http-app';
import { listen, RawClient, type Handler, type TestListener } from '../harness.ts';

interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly informational: Record<string, unknown>[];
  readonly trailers: Record<string, unknown>;
  readonly body: string;
  readonly code: number;
}

function responseOf(stream: ClientHttp2Stream): Promise<TestResponse> {
  const response = {
    status: 0,
    headers: {},
    informational: [] as Record<string, unknown>[],
    trailers: {},
    body: '',
    code: 0,
  };
  stream.on('headers', (headers) => response.informational.push({ ...headers }));
  stream.on('response', (headers) => {
    response.headers = { ...headers };
    response.status = Number(headers[':status']);
  });
  stream.on('trailers', (headers) => {
    response.trailers = { ...headers };
  });
  stream.on('data', (chunk: Buffer) => {
    response.body += chunk.toString();
  });
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.on('close', () => {
      response.code = stream.rstCode;
      resolve(response);
    });
  });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('HTTP/2 server', () => {
  let handler: Handler;
  let listener: TestListener;
  let session: ClientHttp2Session;

  before(async () => {
    listener = await listen((exchange) => handler(exchange));
    session = http2.connect(`http://127.0.0.1:${listener.port}`);
    session.on('error', () => undefined);
  });
  beforeEach(() => {
    handler = ({ response, uri }) => response.end(uri);
  });
  after(async () => {
    session.destroy();
    await listener.close();
  });

  const ask = (headers: Record<string, string | string[]>, body?: string | Buffer): Promise<TestResponse> => {
    const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined });
    const response = responseOf(stream);
    if (body !== undefined) stream.end(body);
    return response;
  };

  it('the HTTP/2 engine serves a request', async () => {
    let seen: Exchange | null = null;
    handler = (exchange) => {
      seen = exchange;
      exchange.response.headers.set('x-a', 'b');
      exchange.response.end('hello');
    };
    const response = await ask({
      ':path': '/a%20b?c=d',
      ':authority': 'Example.com:80',
      'x-b': 'é',
      cookie: ['a=1', 'b=2'],
      x_y: 'z',
    });
    const { date, ...headers } = Object.fromEntries(Object.entries(response.headers));
    expect(date).to.be.a('string');
    expect({ ...headers, body: response.body }).to.deep.equal({
      ':status': 200,
      server: 'Sluice',
      'x-a': 'b',
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
      body: 'hello',
    });
    expect(seen).to.deep.include({
      method: 'GET',
      proto: 'HTTP/2.0',
      host: 'Example.com:80',
      rawPath: '/a%20b',
      query: 'c=d',
    });
    const got = (seen as unknown as Exchange).headers;
    expect(got.all('cookie')).to.deep.equal(['a=1; b=2']);
    expect(got.has('x_y')).to.equal(false);
    expect(got.has('host')).to.equal(false);
    expect((seen as unknown as Exchange).connection.remoteAddress).to.equal('127.0.0.1');
  });

  it('the HTTP/2 engine serves concurrent requests', async () => {
    handler = async ({ response, uri }) => {
      await sleep(5);
      response.end(uri);
    };
    const responses = await Promise.all(Array.from({ length: 200 }, (_, i) => ask({ ':path': `/${i}` })));
    expect(responses.map(({ body }) => body)).to.deep.equal(responses.map((_, i) => `/${i}`));
  });

  // Attack in docs/security.md: Unannounced trailers, and trailers that identify the client (`X-Forwarded-For`).
  it('the HTTP/2 engine reads request bodies and trailers', async () => {
    handler = async ({ body, response }) => {
      const content = await body.bytes(1e7);
      response.end(`${body.length} ${content.length} ${JSON.stringify([...(body.trailers ?? [])])}`);
    };
    expect((await ask({ ':method': 'POST' }, Buffer.alloc(3_000_000))).body).to.equal('-1 3000000 []');
    expect((await ask({ ':method': 'POST', 'content-length': '3' }, 'abc')).body).to.equal('3 3 []');
    const stream = session.request({ ':path': '/', ':method': 'POST', trailer: 'x-sum' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7', 'x-forwarded-for': '192.0.2.1' }));
    const received = responseOf(stream);
    stream.end('abc');
    expect((await received).body).to.equal('-1 3 [["x-sum","7"]]');
  });

  // Attack in docs/security.md: Trailers that spoof header fields, and field names that spoof other names with `_` or `.`
  // (CVE-2026-52845, GHSA-49wc-4hcv-v58q).
  it('the HTTP/2 engine drops the same trailers as the HTTP/1.1 engine', async () => {
    handler = async ({ body, response }) => {
      await body.bytes(1e7);
      response.end(JSON.stringify([...(body.trailers ?? [])]));
    };
    const announced = 'x-sum, x_sum, x.sum, authorization, content-type, x-forwarded-for';
    const stream = session.request({ ':path': '/', ':method': 'POST', trailer: announced }, { waitForTrailers: true });
    const late = { 'x-sum': '7', x_sum: '8', 'x.sum': '9', authorization: 'a', 'content-type': 'b', trailer: 'c' };
    stream.on('wantTrailers', () => stream.sendTrailers({ ...late, expect: 'd', 'content-range': 'e' }));
    const received = responseOf(stream);
    stream.end('abc');
    expect((await received).body).to.equal('[["x-sum","7"]]');
  });

  // Attack in docs/security.md: Trailers that spoof header fields, and field names that spoof other names with `_` or `.`
  // (CVE-2026-52845, GHSA-49wc-4hcv-v58q).
  it('the HTTP/2 engine drops fields whose names are ambiguous variants of allowed names', async () => {
    const keeps = await listen(({ headers, response }) => response.end(JSON.stringify([...headers])), {
      keptHeaders: new KeptNames(['x_user']),
    });
    const other = http2.connect(`http://127.0.0.1:${keeps.port}`);
    const fields = { 'x-user': 'admin', x_user: 'guest', x_other: '1' };
    const received = await responseOf(other.request({ ':path': '/', ...fields }));
    expect(received.body).to.equal('[["x_user","guest"]]');
    other.destroy();
    await keeps.close();
  });

  // Attack in docs/security.md: An upstream that responds early (413, 401) and closes the connection.
  it('the HTTP/2 engine resets a stream with NO_ERROR if the response is complete and the request body was not read', async () => {
    handler = ({ response }) => {
      response.writeHead(413);
      response.end('too large');
    };
    const stream = session.request({ ':path': '/', ':method': 'POST', 'content-length': '1000000' });
    const received = responseOf(stream);
    stream.write('a');
    // The response is neither continued nor completed. The stream is reset.
    const { status, body, code } = await received;
    expect({ status, body, code }).to.deep.equal({ status: 413, body: 'too large', code: 0 });
  });

  it('the HTTP/2 engine pauses and resumes bodies', async () => {
    handler = ({ body, response }) =>
      new Promise((resolve) => {
        let size = 0;
        body.consume({
          onData: (chunk) => {
            size += chunk.length;
            setTimeout(() => body.resume(), 1);
            return false;
          },
          onEnd: () => {
            response.end(String(size));
            resolve();
          },
          onError: () => undefined,
        });
      });
    expect((await ask({ ':method': 'POST' }, Buffer.alloc(500_000))).body).to.equal('500000');
  });

  it('the HTTP/2 engine discards bodies that no handler reads', async () => {
    expect((await ask({ ':method': 'POST' }, Buffer.alloc(100_000))).body).to.equal('/');
    const endless = session.request({ ':path': '/x', ':method': 'POST' });
    const response = responseOf(endless);
    const writing = setInterval(() => {
      if (!endless.writableEnded && !endless.destroyed) endless.write(Buffer.alloc(64 * 1024));
    }, 1);
    expect((await response).body).to.equal('/x');
    clearInterval(writing);
  });

  it('the HTTP/2 engine sends streamed bodies with trailers', async () => {
    handler = ({ response }) => {
      const trailers = new HeaderMap();
      trailers.append('x-sum', '1');
      response.setTrailers(trailers);
      response.write('a');
      response.flush();
      response.write('é');
      response.end(Buffer.from('c'));
    };
    const received = await ask({});
    expect([received.body, received.headers['content-length'], received.trailers['x-sum']]).to.deep.equal([
      'aéc',
      undefined,
      '1',
    ]);
  });

  it('the HTTP/2 engine sends informational responses, and sends no body if the status forbids a body', async () => {
    handler = ({ response }) => {
      const hints = new HeaderMap();
      hints.append('link', '</a>');
      response.writeInformational(103, hints);
      response.headers.set('content-length', '3');
      response.writeHead(304);
      response.end('abc');
    };
    const received = await ask({});
    expect(received.informational[0]).to.include({ ':status': 103, link: '</a>' });
    expect([received.status, received.body, received.headers['content-length']]).to.deep.equal([304, '', undefined]);
    handler = ({ response }) => response.end('abc');
    const head = await ask({ ':method': 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).to.deep.equal([200, '', '3']);
  });

  it('the HTTP/2 engine omits connection-specific fields and invalid field values', async () => {
    handler = ({ response }) => {
      for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'bad name']) {
        response.headers.append(name, 'x');
      }
      response.headers.append('x-a', 'a\r\nb');
      response.headers.append('x-a', 'c');
    };
    const { headers } = await ask({});
    expect(headers['x-a']).to.equal('a  b, c');
    expect(
      Object.keys(headers)
        .filter((name) => !name.startsWith(':'))
        .sort(),
    ).to.deep.equal(['content-length', 'date', 'server', 'x-a']);
  });

  it('the HTTP/2 engine sends 100-continue when the body is read', async () => {
    handler = async ({ body, response }) => response.end(await body.bytes(10));
    const stream = session.request({ ':path': '/', ':method': 'POST', expect: '100-continue' });
    const received = responseOf(stream);
    await new Promise((resolve) => stream.once('continue', resolve));
    stream.end('abc');
    expect((await received).body).to.equal('abc');
  });

  it('the HTTP/2 engine rejects invalid targets and hosts', async () => {
    expect((await ask({ ':path': '/%zz' })).status).to.equal(400);
    // The HTTP/2 client library already resets streams with invalid targets or hosts.
    expect((await ask({ ':path': 'x' })).code).to.not.equal(0);
    expect((await ask({ ':authority': 'a/b' })).status).to.be.oneOf([0, 400]);
    expect((await ask({ ':authority': '..' })).status).to.be.oneOf([0, 400]);
    expect((await ask({ ':path': '/a"b' })).body).to.equal('/a%22b');
  });

  it('the HTTP/2 engine resets only the stream whose response fails', async () => {
    handler = ({ response, uri }) => {
      if (uri === '/good') {
        response.end('good');
        return;
      }
      response.write('x'.repeat(4000));
      throw new Error('too late');
    };
    const [bad, good] = await Promise.all([ask({ ':path': '/bad' }), ask({ ':path': '/good' })]);
    expect(bad.code).to.not.equal(0);
    expect(good.body).to.equal('good');
  });

  // Attack in docs/security.md: Bodies longer than declared, stream window overflows, unsolicited PING acknowledgments.
  it('the HTTP/2 engine resets a stream whose body length differs from Content-Length', async () => {
    handler = ({ response }) => {
      response.headers.set('content-length', '5');
      response.end('abc');
    };
    expect((await ask({})).code).to.not.equal(0);
    handler = ({ response }) => response.headers.set('content-length', '5');
    expect((await ask({})).code).to.not.equal(0);
  });

  it('the HTTP/2 engine aborts exchanges whose streams are reset', async () => {
    const aborted = new Promise<unknown>((resolve) => {
      handler = (exchange) =>
        new Promise((done) => {
          exchange.signal.addEventListener('abort', () => {
            resolve(exchange);
            done();
          });
        });
    });
    const stream = session.request({ ':path': '/' });
    stream.on('error', () => undefined);
    await sleep(10);
    stream.close(8);
    expect(await aborted).to.have.property('aborted', true);
  });

  it('the HTTP/2 engine waits for a slow client', async () => {
    let waits = 0;
    handler = async ({ response }) => {
      for (let i = 0; i < 50; i++) {
        if (response.write(Buffer.alloc(100_000, 'x'))) continue;
        waits++;
        await response.drained();
      }
    };
    const stream = session.request({ ':path': '/' });
    stream.pause();
    await sleep(50);
    const before = waits;
    const received = responseOf(stream);
    stream.resume();
    expect((await received).body.length).to.equal(5_000_000);
    expect(before).to.be.greaterThan(0).and.lessThan(40);
  });

  it('the HTTP/2 engine ignores the Upgrade field', async () => {
    handler = ({ connection, response }) => response.end(String(connection.upgrade()));
    expect((await ask({})).body).to.equal('null');
  });

  it('the HTTP/2 engine accepts a connection preface that arrives byte by byte', async () => {
    const client = new RawClient(listener.port);
    const bytes = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';
    for (const byte of bytes) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await client.until((received) => received.length >= 9);
    expect(client.received.charCodeAt(3)).to.equal(4);
    client.close();
  });

  it('an HTTP/2 connection is rejected if HTTP/2 is disabled', async () => {
    const other = await listen(({ response }) => response.end(), {}, ['h1']);
    expect(await new RawClient(other.port).send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n').all()).to.equal('');
    await other.close();
  });

  it('an HTTP/2 connection of a closing listener receives GOAWAY and finishes its requests', async () => {
    const other = await listen(async ({ response }) => {
      await sleep(50);
      response.end('done');
    });
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    const goaway = new Promise((resolve) => client.on('goaway', resolve));
    const received = responseOf(client.request({ ':path': '/' }));
    await sleep(20);
    other.listener.retire();
    await goaway;
    expect((await received).body).to.equal('done');
    await other.close();
    client.destroy();
  });

  it('a busy HTTP/2 connection does not receive GOAWAY while a request is in flight', async function () {
    this.timeout(10_000);
    const other = await listen(async ({ response }) => {
      await sleep(300);
      response.end('done');
    });
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    let served = 0;
    let goAwayAfter = -1;
    const inFlight = new Set<number>();
    let inFlightAtGoAway: number[] = [];
    client.on('goaway', (_code, last) => {
      goAwayAfter = last;
      inFlightAtGoAway = [...inFlight];
    });
    // At least two requests always overlap, so the connection is never idle.
    const loop = async (): Promise<void> => {
      while (goAwayAfter < 0 && !client.closed && !client.destroyed) {
        const stream = client.request({ ':path': '/' });
        stream.on('ready', () => inFlight.add(stream.id as number));
        stream.on('end', () => inFlight.delete(stream.id as number));
        const { body } = await responseOf(stream).catch(() => ({ body: '' }));
        if (body === 'done') served++;
      }
    };
    const loops = [loop(), sleep(150).then(loop)];
    await sleep(200);
    other.listener.retire();
    await Promise.all(loops);
    // Requests in flight at the time of GOAWAY have not been processed, and clients may retry them.
    expect(inFlightAtGoAway.filter((id) => id <= goAwayAfter)).to.deep.equal([]);
    expect(served).to.be.greaterThan(3);
    await other.close();
    client.destroy();
  });

  it('idle HTTP/2 connections are closed', async () => {
    const other = await listen(({ response }) => response.end('x'), { idleTimeout: 80, readHeaderTimeout: 5000 });
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    await responseOf(client.request({ ':path': '/' }));
    const start = performance.now();
    await new Promise((resolve) => client.on('close', resolve));
    expect(performance.now() - start).to.be.within(60, 3000);
    await other.close();
  });

  it('the HTTP/2 engine aborts responses and bodies that exceed their timeout', async () => {
    const other = await listen(
      async ({ body, response, uri }) => {
        if (uri === '/body') response.end(await body.bytes(10));
        else await sleep(300);
      },
      { readTimeout: 80, writeTimeout: 160 },
    );
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    const stream = client.request({ ':path': '/body', ':method': 'POST' });
    expect((await responseOf(stream)).status).to.equal(408);
    expect((await responseOf(client.request({ ':path': '/response' }))).code).to.not.equal(0);
    client.destroy();
    await sleep(200);
    await other.close();
  });

  // Attack in docs/security.md: Slow clients, if `read_idle_timeout`, `read_min_rate` and `timeouts` are configured.
  it('a stalled HTTP/2 body times out, but a slow body does not', async () => {
    const other = await listen(async ({ body, response }) => response.end(await body.bytes(10)), {
      readPace: paceRule(200),
    });
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    const drip = async (pause: number): Promise<TestResponse> => {
      const stream = client.request({ ':path': '/', ':method': 'POST' });
      const responded = responseOf(stream);
      for (const letter of 'hello') {
        await sleep(pause);
        if (!stream.writableEnded && !stream.closed) stream.write(letter);
      }
      stream.end();
      return responded;
    };
    const [steady, stalled] = await Promise.all([drip(90), drip(600)]);
    expect(steady.body).to.equal('hello');
    expect(stalled.status).to.equal(408);
    client.destroy();
    await other.close();
  });

  it('the HTTP/2 engine resets a stream whose client does not read the response', async () => {
    const other = await listen(({ response }) => response.end(Buffer.alloc(512 * 1024, 'x')), {
      writePace: paceRule(150, 0, 512 * 1024),
    });
    const client = http2.connect(`http://127.0.0.1:${other.port}`, { settings: { initialWindowSize: 1000 } });
    const stalled = client.request({ ':path': '/' });
    stalled.pause();
    const code = new Promise((resolve) => stalled.on('close', () => resolve(stalled.rstCode)));
    stalled.on('error', () => undefined);
    setTimeout(() => stalled.resume(), 800);
    expect(await code).to.not.equal(0);
    client.destroy();
    await other.close();
  });

  it('an HTTP/2 connection tolerates a few streams that the client resets immediately', async () => {
    const other = await listen(async ({ response }) => {
      await sleep(1);
      response.end('x');
    });
    const client = http2.connect(`http://127.0.0.1:${other.port}`);
    client.on('error', () => undefined);
    const refused = new Promise((resolve) => client.on('close', resolve));
    for (let round = 0; round < 60 && !client.destroyed; round++) {
      for (let i = 0; i < 100 && !client.destroyed && !client.closed; i++) {
        const stream = client.request({ ':path': '/' });
        stream.on('error', () => undefined);
        stream.close(8);
      }
      await sleep(2);
    }
    await refused;
    await other.close();
  });

  describe('HTTP/2: WebSockets (RFC 8441)', () => {
    const ask = (path = '/ws', protocol = 'websocket'): ClientHttp2Stream =>
      session.request({ ':method': 'CONNECT', ':protocol': protocol, ':path': path, 'sec-websocket-version': '13' });

    it('the extended CONNECT protocol is announced in SETTINGS', async () => {
      const other = http2.connect(`http://127.0.0.1:${listener.port}`);
      const settings = await new Promise<http2.Settings>((resolve) => other.on('remoteSettings', resolve));
      expect(settings.enableConnectProtocol).to.equal(true);
      other.close();
    });

    it('a WebSocket over HTTP/2 reaches handlers like a WebSocket over HTTP/1.1, and is opened by a 101 response', async () => {
      let seen: Exchange | null = null;
      handler = (exchange) => {
        seen = exchange;
        exchange.response.headers.set('sec-websocket-protocol', 'chat');
        exchange.response.headers.set('sec-websocket-accept', 'x');
        exchange.response.headers.set('connection', 'Upgrade');
        exchange.response.writeHead(101);
        const taken = exchange.connection.upgrade();
        taken?.socket.pipe(taken.socket);
      };
      const stream = ask('/ws?room=1');
      const response = responseOf(stream);
      stream.write('first ');
      await sleep(20);
      stream.end('second');
      const { status, headers, body, code } = await response;
      expect([status, body, code]).to.deep.equal([200, 'first second', 0]);
      expect(headers).to.include({ 'sec-websocket-protocol': 'chat' });
      expect(headers).not.to.have.any.keys('connection', 'upgrade', 'sec-websocket-accept', 'content-length');
      const { method, uri, proto, headers: asked } = seen as unknown as Exchange;
      expect([method, uri, proto]).to.deep.equal(['GET', '/ws?room=1', 'HTTP/2.0']);
      expect([asked.get('connection'), asked.get('upgrade'), asked.get('sec-websocket-version')]).to.deep.equal([
        'Upgrade',
        'websocket',
        '13',
      ]);
      expect(asked.get('sec-websocket-key')).to.match(/^[\w+/]{22}==$/);
    });

    it('a WebSocket over HTTP/2 opens only if the handler responds with 101', async () => {
      handler = ({ response }) => response.end('hello');
      const stream = ask();
      const received = responseOf(stream);
      stream.end('bytes for no reader');
      const { status, body } = await received;
      expect([status, body]).to.deep.equal([501, 'hello']);
      handler = ({ response }) => {
        response.writeHead(403);
        response.end();
      };
      expect((await responseOf(ask().end())).status).to.equal(403);
    });

    it('extended CONNECT rejects protocols other than WebSocket', async () => {
      handler = ({ response }) => response.end('hello');
      expect((await responseOf(ask('/', 'connect-udp').end())).status).to.equal(501);
    });

    it('ordinary HTTP/2 requests cannot be upgraded', async () => {
      let taken: unknown = 'not asked';
      handler = ({ response, connection }) => {
        response.writeHead(101);
        taken = connection.upgrade();
      };
      expect((await responseOf(session.request({ ':path': '/' }))).status).to.equal(500);
      expect(taken).to.equal(null);
    });
  });
});
