import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@sluice/base';
import { frames, withRoutes } from '@sluice/testing';
import { readUpstreams } from './admin.ts';
import {
  responding,
  conversation,
  httpUpstream,
  listeningServer,
  Opened,
  proxyTo,
  rawUpstream,
  until,
} from './support.ts';

const upgradeRequest =
  'GET /ws HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const switching =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: a\r\n\r\n';

/** FastCGI records with the output of a script and the end of the request. */
const scriptOutput = Buffer.concat([
  Buffer.from([1, 6, 0, 1, 0, 6, 0, 0]),
  Buffer.from('\r\n\r\nok'),
  Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
]);

/** The HTTP/2 client preface, an empty SETTINGS frame, and a `GET /` request for host `h` on stream 1. */
const http2Request =
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01h';

describe('http.handlers.reverse_proxy: streams', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  /** Starts an upstream that accepts every upgrade, sends a greeting, and returns each message twice. */
  function doubling(): ReturnType<typeof rawUpstream> {
    const taken = new Set<number>();
    return rawUpstream((text, socket, connection) => {
      if (!taken.has(connection)) {
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) return;
        taken.add(connection);
        socket.write(`${switching}hello ${text.slice(end + 4)}`);
        socket.on('data', (chunk: Buffer) => socket.write(Buffer.concat([chunk, chunk])));
      }
    });
  }

  function client(port: number): { socket: Socket; read(): string } {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    opened.add({ close: () => void socket.destroy() });
    return { socket, read: () => text };
  }

  for (const [how, leave] of Object.entries<(socket: Socket) => void>({
    'half-closes the connection': (socket) => void socket.end(),
    'closes the connection': (socket) => void socket.destroy(),
    'resets the connection': (socket) => void socket.resetAndDestroy(),
  })) {
    it(`reverse_proxy closes the upstream connection of an upgrade if the client ${how}`, async () => {
      const asked: Socket[] = [];
      const upstream = opened.add(await rawUpstream((_text, socket) => asked.push(socket)));
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const { socket } = client(proxy.port);
      socket.write(upgradeRequest);
      await until(() => asked.length === 1, 'the request');
      leave(socket);
      await sleep(50);
      asked[0]?.write(switching);
      await until(() => asked[0]?.closed === true, 'the end of the connection');
      await until(() => socket.closed, 'the end of the client');
      expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 0 });
    });
  }

  it('reverse_proxy relays data in both directions of an upgraded connection, including data sent before the upgrade is complete', async () => {
    const upstream = opened.add(await doubling());
    // Response header operations apply only to final responses, not to interim responses.
    const headers = { response: { set: { 'X-Down': ['1'] } } };
    const proxy = opened.add(await listeningServer([{ ...proxyTo(upstream.dial), headers }]));
    const { socket, read } = client(proxy.port);
    socket.write(`${upgradeRequest}early`);
    await until(() => read().includes('early'), 'the greeting');
    expect(read())
      .to.match(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
      .and.contain('Upgrade: websocket\r\n')
      .and.contain('Connection: Upgrade\r\n');
    expect(read()).to.contain('Sec-WebSocket-Accept: a\r\n').and.not.contain('Via').and.not.contain('X-Down');
    expect(upstream.received[0]).to.contain('Connection: Upgrade\r\nUpgrade: websocket\r\n');
    socket.write('ab');
    await until(() => read().endsWith('abab'), 'the echo');
    expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 1 });
    socket.end();
    await until(() => upstream.sockets[0]?.closed === true, 'the end of the tunnel');
    await sleep(20);
    expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 0 });
  });

  const { endHeaders, frame, types } = frames;
  const reset = (code: number): Buffer => frame(types.reset, 0, 1, Buffer.from([0, 0, 0, code]));
  const cuts: Readonly<Record<string, (socket: Socket) => void>> = {
    'the end of the connection': (socket) => void socket.end(),
    'the connection is reset': (socket) => void socket.resetAndDestroy(),
    'GOAWAY and the end of the connection': (socket) => void socket.end(frame(types.goAway, 0, 0, Buffer.alloc(8))),
    'RST_STREAM with NO_ERROR': (socket) => void socket.write(reset(0)),
    'RST_STREAM with INTERNAL_ERROR': (socket) => void socket.write(reset(2)),
    'RST_STREAM with CANCEL': (socket) => void socket.write(reset(8)),
  };
  for (const [how, cut] of Object.entries(cuts)) {
    it(`reverse_proxy marks a response of an HTTP/2 upstream as incomplete after ${how}`, async () => {
      const upstream = createServer((socket) => {
        socket.on('error', () => undefined);
        opened.add({ close: () => void socket.destroy() });
        socket.write(frame(types.settings, 0, 0));
        let sent = Buffer.alloc(0);
        let responded = false;
        socket.on('data', (chunk: Buffer) => {
          sent = Buffer.concat([sent, chunk]);
          if (responded || !hasRequest(sent)) return;
          responded = true;
          const head = frame(types.headers, endHeaders, 1, Buffer.from([0x88]));
          socket.write(Buffer.concat([head, frame(types.data, 0, 1, Buffer.from('part'))]));
          setTimeout(() => cut(socket), 50);
        });
      });
      upstream.listen(0, '127.0.0.1');
      await once(upstream, 'listening');
      opened.add({ close: () => void upstream.close() });
      const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
      const transport = { protocol: 'http', versions: ['h2c'] };
      const proxy = opened.add(await listeningServer([proxyTo(dial, { transport })]));
      const { socket, read } = client(proxy.port);
      socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await once(socket, 'close');
      expect(read()).to.contain('4\r\npart\r\n').and.not.contain('0\r\n\r\n');
    });
  }

  // Attack in docs/security.md: Clients that open and reset streams on a shared HTTP/2 connection until the upstream closes it.
  it('reverse_proxy spreads the resets of disconnecting clients over several HTTP/2 upstream connections', async () => {
    const upstream = createHttp2Server();
    let sessions = 0;
    upstream.on('session', () => sessions++);
    const waiting: ServerHttp2Stream[] = [];
    upstream.on('stream', (stream: ServerHttp2Stream, { ':path': path }) => {
      stream.on('error', () => undefined);
      if (path === '/wait') waiting.push(stream);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    opened.add({ close: () => void upstream.close() });
    const transport = { protocol: 'http', versions: ['h2c'] };
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const proxy = opened.add(await listeningServer([proxyTo(dial, { transport })], { protocols: ['h1', 'h2c'] }));
    const patient = client(proxy.port);
    patient.socket.write('GET /wait HTTP/1.1\r\nHost: h\r\n\r\n');
    await until(() => waiting.length === 1, 'the request that stays');
    const abuser = connectHttp2(`http://127.0.0.1:${proxy.port}`);
    opened.add({ close: () => abuser.destroy() });
    for (let round = 0; round < 12; round++) {
      const streams = Array.from({ length: 50 }, () => abuser.request({ ':path': '/never' }));
      await sleep(40);
      for (const stream of streams) stream.on('error', () => undefined).close(8);
    }
    await sleep(50);
    expect(sessions).to.be.within(2, 4);
    waiting[0]?.respond({ ':status': 204 }, { endStream: true });
    await until(() => patient.read() !== '', 'its response');
    expect(patient.read()).to.match(/^HTTP\/1\.1 204 /);
  });

  // Attack in docs/security.md: An HTTP/2 upstream that sends response headers and then waits.
  it('reverse_proxy forwards the head of an HTTP/2 response before its body, for bidirectional streams', async () => {
    const upstream = createHttp2Server();
    upstream.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.on('data', (chunk: Buffer) => stream.write(chunk));
      stream.on('end', () => stream.end());
      stream.on('error', () => undefined);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    opened.add({ close: () => void upstream.close() });
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const proxy = opened.add(
      await listeningServer([proxyTo(dial, { transport: { protocol: 'http', versions: ['h2c'] } })], {
        protocols: ['h1', 'h2c'],
      }),
    );
    const session = connectHttp2(`http://127.0.0.1:${proxy.port}`);
    opened.add({ close: () => session.destroy() });
    const stream = session.request({ ':method': 'POST' });
    const [head] = (await once(stream, 'response')) as [{ ':status': number }];
    expect(head[':status']).to.equal(200);
    for (const text of ['one', 'two']) {
      stream.write(text);
      expect(String((await once(stream, 'data'))[0])).to.equal(text);
    }
    stream.end();
    await once(stream, 'end');
    const { socket, read } = client(proxy.port);
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
    await until(() => read().endsWith('\r\n\r\n'), 'the head');
  });

  for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
    it(`reverse_proxy stops reading interim responses from the upstream if a ${protocol} client does not read`, async () => {
      let written = 0;
      let ending = false;
      let count = 0;
      // Each hint is different, because HPACK encodes a repeated field in a single byte.
      const hints = (): string => `HTTP/1.1 103 Early Hints\r\nLink: </${count++}${'a'.repeat(2000)}>\r\n\r\n`;
      const upstream = opened.add(
        await rawUpstream((_text, socket) => {
          const more = (): void => {
            while (!ending && written < 100_000_000) {
              const text = Array.from({ length: 20 }, hints).join('');
              written += text.length;
              if (!socket.write(text)) return;
            }
            socket.write(ok);
          };
          socket.on('drain', more);
          more();
        }),
      );
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)], { protocols: ['h1', 'h2c'] }));
      const socket = connect({ port: proxy.port, host: '127.0.0.1' });
      opened.add({ close: () => void socket.destroy() });
      // Counts body bytes, because Node's HTTP/2 client ignores the reset and continues to read.
      const [asked, response] =
        protocol === 'HTTP/1.1'
          ? ['GET / HTTP/1.1\r\nHost: h\r\n\r\n', /\r\n\r\nok$/]
          : [http2Request, /\0\0\x02\0[\0\x01]\0\0\0\x01ok/];
      let tail = '';
      socket.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-200)));
      socket.pause();
      socket.write(asked, 'latin1');
      // Sends data until all buffers are full.
      let before = 0;
      while (written === 0 || written > before) {
        before = written;
        await sleep(200);
      }
      expect(written).to.be.below(50_000_000);
      ending = true;
      socket.resume();
      await until(() => response.test(tail), 'the response');
    });
  }

  it('reverse_proxy transfers megabytes in both directions of an upgraded connection', async () => {
    const upstream = opened.add(await doubling());
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const { socket } = client(proxy.port);
    socket.write(upgradeRequest);
    await until(() => upstream.received.length === 1, 'the upgrade');
    await sleep(50);
    const sent = Buffer.alloc(3_000_000, 'x');
    let size = 0;
    const hash = createHash('sha1');
    socket.removeAllListeners('data');
    socket.on('data', (chunk) => {
      size += chunk.length;
      hash.update(chunk);
    });
    socket.write(sent);
    await until(() => size >= 6_000_000, 'twice the bytes');
    expect(size).to.equal(6_000_000);
    expect(hash.digest('hex')).to.equal(createHash('sha1').update(Buffer.alloc(6_000_000, 'x')).digest('hex'));
  });

  it('reverse_proxy connects a WebSocket over HTTP/2 to a WebSocket over HTTP/1.1', async () => {
    const upstream = opened.add(await doubling());
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const session = connectHttp2(`http://127.0.0.1:${proxy.port}`);
    opened.add({ close: () => session.destroy() });
    await once(session, 'remoteSettings');
    const stream = session.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/ws' });
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    const [response] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(response).to.include({ ':status': 200 }).and.not.have.any.keys('upgrade', 'connection');
    await until(() => text === 'hello ', 'the greeting');
    expect(upstream.received[0])
      .to.match(/^GET \/ws HTTP\/1\.1\r\n/)
      .and.contain('Connection: Upgrade\r\nUpgrade: websocket\r\n')
      .and.match(/Sec-Websocket-Key: [\w+/]{22}==\r\n/i);
    stream.write('ab');
    await until(() => text.endsWith('abab'), 'the echo');
    stream.end();
    await once(stream, 'close');
    await until(() => upstream.sockets[0]?.closed === true, 'the end of the tunnel');
  });

  it('reverse_proxy passes on a response that is not an upgrade', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno'));
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    expect(await conversation(proxy.port, upgradeRequest)).to.match(/^HTTP\/1\.1 426 .*\r\n\r\nno$/s);
  });

  it('reverse_proxy closes upgraded connections after stream_timeout', async () => {
    const upstream = opened.add(await doubling());
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial, { stream_timeout: '100ms' })]));
    const { socket, read } = client(proxy.port);
    socket.write(upgradeRequest);
    await until(() => read().includes('hello'), 'the greeting');
    await until(() => socket.closed, 'the end');
  });

  const changes: readonly [what: string, options: JsonObject, closes: boolean][] = [
    ['immediately', {}, true],
    ['after stream_close_delay', { stream_close_delay: '150ms' }, true],
  ];
  for (const [what, options] of changes) {
    it(`reverse_proxy closes only its own upgraded connections ${what} when it is removed`, async () => {
      const upstream = opened.add(await doubling());
      const proxied = (path: string, extra: JsonObject): JsonObject => ({
        match: [{ path: [path] }],
        handle: [proxyTo(upstream.dial, extra)],
      });
      const routes = [proxied('/ws', options), proxied('/other', options)];
      const server = { listen: ['127.0.0.1:0'] };
      const made = await listeningServer([], { ...server, routes });
      const proxy = opened.add(made);
      const { socket, read } = client(proxy.port);
      const other = client(proxy.port);
      socket.write(upgradeRequest);
      other.socket.write(upgradeRequest.replace('/ws', '/other'));
      await until(() => read().includes('hello') && other.read().includes('hello'), 'the greetings');
      const changed = [routes[0] as JsonObject, proxied('/other', { ...options, flush_interval: -1 })];
      const began = performance.now();
      const received = other.socket.bytesRead;
      await proxy.reconciler.load(withRoutes(changed, server));
      await until(() => other.socket.bytesRead > received, 'the Close frame of the dropped one');
      expect(performance.now() - began > 140).to.equal(what !== 'immediately');
      await until(() => other.socket.closed, 'the end of the dropped one');
      socket.write('ab');
      await until(() => read().endsWith('abab'), 'the echo of the kept one');
    });
  }

  /** Returns both ends of a WebSocket that passes through a proxy. The configuration is about to remove this proxy. */
  async function droppedWebSocket(
    sent: Buffer,
  ): Promise<{ client: Buffer; upstream: Buffer; drop: () => Promise<void> }> {
    const seen = { client: Buffer.alloc(0), upstream: Buffer.alloc(0) };
    let upgraded = false;
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        if (upgraded || !text.includes('\r\n\r\n')) return;
        upgraded = true;
        socket.write(switching);
        socket.on('data', (chunk: Buffer) => (seen.upstream = Buffer.concat([seen.upstream, chunk])));
        socket.on('end', () => socket.end());
        setImmediate(() => socket.write(sent));
      }),
    );
    const server = { listen: ['127.0.0.1:0'] };
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)], server));
    const socket = connect(proxy.port, '127.0.0.1');
    opened.add({ close: () => void socket.destroy() });
    socket.on('data', (chunk: Buffer) => (seen.client = Buffer.concat([seen.client, chunk])));
    const closed = once(socket, 'close');
    socket.write(upgradeRequest);
    await until(() => seen.client.includes(sent), 'what the upstream sends');
    const drop = async (): Promise<void> => {
      await proxy.reconciler.load(withRoutes([], server));
      await closed;
    };
    return Object.assign(seen, { drop });
  }

  it('reverse_proxy sends a Close frame to both WebSocket peers when a configuration change removes the proxy', async () => {
    const seen = await droppedWebSocket(Buffer.from([0x81, 2, 0x68, 0x69]));
    await seen.drop();
    expect(seen.client.subarray(-8).toString('hex')).to.equal('81026869880203e9');
    expect(seen.upstream.toString('hex')).to.equal('88820000000003e9');
  });

  it('reverse_proxy keeps a WebSocket open after the proxy is removed, until the client has sent a Close frame', async () => {
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        if (text.includes('\r\n\r\n')) socket.write(switching);
        // Closes the connection immediately, as most servers do.
        else socket.end(Buffer.from([0x88, 2, 0x03, 0xe9]));
      }),
    );
    const server = { listen: ['127.0.0.1:0'] };
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)], server));
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    opened.add({ close: () => void socket.destroy() });
    let [seen, ended] = ['', false];
    socket.setEncoding('latin1').on('data', (text: string) => (seen += text));
    socket.on('end', () => (ended = true));
    socket.write(upgradeRequest);
    await until(() => seen.includes('101'), 'the response');
    await proxy.reconciler.load(withRoutes([], server));
    await until(() => seen.endsWith('\x88\x02\x03\xe9'), 'the Close frame');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).to.equal(false);
    socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]));
    await until(() => ended, 'the end of the connection');
  });

  it('reverse_proxy never inserts a Close frame within another frame', async () => {
    const seen = await droppedWebSocket(Buffer.from([0x81, 5, 0x68, 0x69]));
    await seen.drop();
    expect(seen.client.subarray(-4).toString('hex')).to.equal('81056869');
    expect(seen.upstream.toString('hex')).to.equal('88820000000003e9');
  });

  it('reverse_proxy forwards server-sent events immediately', async () => {
    let send: ((text: string) => void) | null = null;
    const upstream = opened.add(
      await httpUpstream((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.flushHeaders();
        send = (text) => response.write(text);
      }),
    );
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const { socket, read } = client(proxy.port);
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await until(() => read().includes('\r\n\r\n'), 'the head');
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      send!(event);
      await until(() => read().includes(event), event);
    }
  });

  it('reverse_proxy streams request bodies as they arrive, and streams responses before they are complete', async () => {
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        if (text.endsWith('one\r\n')) socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nuno\r\n');
        if (text.endsWith('0\r\n\r\n')) socket.write('3\r\ndos\r\n0\r\n\r\n');
      }),
    );
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)], { enable_full_duplex: true }));
    const { socket, read } = client(proxy.port);
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n');
    await until(() => read().includes('uno'), 'the first half');
    socket.write('3\r\ntwo\r\n0\r\n\r\n');
    await until(() => read().endsWith('dos\r\n0\r\n\r\n'), 'the second half');
    expect(upstream.received[0]).to.match(/\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n$/);
  });

  it('reverse_proxy reads request bodies no faster than the upstream reads', async () => {
    const upstream = opened.add(await rawUpstream((_text, socket) => void socket.pause()));
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const { socket } = client(proxy.port);
    const chunk = Buffer.alloc(65536);
    let written = 0;
    const pump = (): void => {
      while (written < 2000 && socket.write(chunk)) written++;
    };
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${2001 * 65536}\r\n\r\n`);
    socket.on('drain', pump);
    pump();
    await sleep(400);
    const before = written;
    await sleep(200);
    expect(written).to.equal(before).and.to.be.lessThan(1900);
  });

  const buffers: readonly [what: string, options: JsonObject, pieces: number][] = [
    ['unlimited request_buffers', { request_buffers: -1 }, 1],
    ['request_buffers smaller than the body', { request_buffers: 4 }, 1],
  ];
  for (const [what, options] of buffers) {
    it(`reverse_proxy forwards a body completely with ${what}`, async () => {
      const upstream = opened.add(
        await rawUpstream(
          (text, socket) => void (text.endsWith('0\r\n\r\n') && socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
        ),
      );
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial, options)]));
      const { socket, read } = client(proxy.port);
      socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n');
      await sleep(30);
      expect(upstream.received.length).to.equal(0);
      socket.write('3\r\ntwo\r\n0\r\n\r\n');
      await until(() => read().includes('204'), 'the response');
      expect((upstream.received[0] as string).split('\r\n\r\n')[1]?.replaceAll(/\r\n|^\d|\n\d/g, '')).to.match(
        /one3?two/,
      );
    });
  }

  const counted: readonly [what: string, options: JsonObject, size: number, status: number][] = [
    ['a short chunked body', {}, 4095, 200],
    ['a chunked body of 4096 bytes', {}, 4096, 411],
    ['a long chunked body', {}, 100_000, 411],
    ['a chunked body within request_buffers', { request_buffers: 200_000 }, 100_000, 200],
    ['a chunked body beyond request_buffers', { request_buffers: 100 }, 100, 411],
    ['any chunked body with request_buffers of -1', { request_buffers: -1 }, 1_000_000, 200],
  ];
  for (const [what, options, size, status] of counted) {
    it(`reverse_proxy returns ${status} for ${what} sent to FastCGI`, async () => {
      const upstream = opened.add(
        await rawUpstream((text, socket) => {
          if (text.endsWith('\x01\x05\0\x01\0\0\0\0')) socket.end(scriptOutput);
        }),
      );
      const proxy = opened.add(
        await listeningServer([
          proxyTo(upstream.dial, {
            transport: { protocol: 'fastcgi', root: '/srv', split_path: ['.php'] },
            ...options,
          }),
        ]),
      );
      const { socket, read } = client(proxy.port);
      socket.on('error', () => undefined);
      socket.write('POST /x.php HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
      // The server may reject a request before it has been fully received.
      if (status === 200) socket.write('0\r\n\r\n');
      await until(() => read().includes('\r\n\r\n'), 'the response');
      expect(read()).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(upstream.received.length).to.equal(status === 200 ? 1 : 0);
      if (status === 200) expect(upstream.received[0]).to.include(`CONTENT_LENGTH${size}`);
    });
  }

  // Attack in docs/security.md: A chunked request body for FastCGI.
  it('reverse_proxy reads an endless FastCGI request body only up to the buffer limit', async () => {
    const upstream = opened.add(await rawUpstream(() => undefined));
    const proxy = opened.add(
      await listeningServer([proxyTo(upstream.dial, { transport: { protocol: 'fastcgi', root: '/srv' } })]),
    );
    const { socket, read } = client(proxy.port);
    socket.on('error', () => undefined);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let written = 0;
    const pump = (): void => {
      while (written < 2000 && !socket.destroyed && socket.write(chunk)) written++;
    };
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.on('drain', pump);
    pump();
    await until(() => socket.closed || read().includes(' 411 '), 'the refusal');
    await sleep(200);
    expect(written).to.be.lessThan(1000);
  });

  it('reverse_proxy with response_buffers buffers a response', async () => {
    for (const [bytes, expected] of [
      [-1, 'onetwo'],
      [4, 'onetwo'],
    ] as const) {
      const upstream = opened.add(
        await httpUpstream((_request, response) => {
          response.write('one');
          setTimeout(() => response.end('two'), 30);
        }),
      );
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial, { response_buffers: bytes })]));
      const { socket, read } = client(proxy.port);
      socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
      await sleep(15);
      expect(read()).to.equal('');
      await until(() => socket.closed, 'the end');
      expect(read()).to.match(/two/).and.contain(expected);
    }
  });

  it('reverse_proxy with response_buffers treats an incomplete response as an error, and retries the request if permitted', async () => {
    let count = 0;
    const upstream = opened.add(
      await rawUpstream((_text, socket) => {
        count++;
        socket.end('HTTP/1.1 200 OK\r\nX-From: upstream\r\nContent-Length: 10\r\n\r\nhello');
      }),
    );
    const errors = { routes: [{ handle: [{ handler: 'static_response', body: '{http.error.status_code}' }] }] };
    const options = { response_buffers: -1, load_balancing: { retries: 1 } };
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial, options)], { errors }));
    const text = await conversation(proxy.port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(text)
      .to.match(/^HTTP\/1\.1 502 .*\r\n\r\n502$/s)
      .and.not.contain('X-From');
    expect(count).to.equal(2);
  });

  for (const framing of ['with Content-Length', 'in chunks', 'in small chunks'] as const) {
    const tag = framing === 'in chunks' ? ' @long' : '';
    it(`reverse_proxy delivers large bodies ${framing} intact to many concurrent clients of any speed${tag}`, async () => {
      const size = 12_000_000;
      // Each stream has different bytes at each position, which reveals a buffer that is reused too early.
      const bodyOf = (stream: number): Buffer => {
        const words = new Uint32Array(size / 4);
        for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 2_654_435_761) ^ (stream << 24);
        return Buffer.from(words.buffer);
      };
      const upstream = opened.add(
        await httpUpstream((request, response) => {
          const body = bodyOf(Number(request.url?.slice(1)));
          const small = framing === 'in small chunks';
          const step = small ? 20_000 : 100_000;
          if (framing === 'with Content-Length') response.setHeader('Content-Length', body.length);
          const send = (from: number): void => {
            for (let at = from; at < size; at += step) {
              response.write(body.subarray(at, at + step));
              if (small) {
                setImmediate(send, at + step);
                return;
              }
            }
            response.end();
          };
          send(0);
        }),
      );
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const download = async (stream: number): Promise<string> => {
        const hash = createHash('sha1');
        const response = await fetch(`http://127.0.0.1:${proxy.port}/${stream}`);
        let chunks = 0;
        for await (const chunk of response.body ?? []) {
          hash.update(chunk);
          if (chunks++ === 0) await sleep(200);
          else if (stream % 2 === 1 && chunks % 64 === 0) await sleep(1);
        }
        return hash.digest('hex');
      };
      const streams = Array.from({ length: 6 }, (_, index) => index);
      expect(await Promise.all(streams.map(download))).to.deep.equal(
        streams.map((stream) => createHash('sha1').update(bodyOf(stream)).digest('hex')),
      );
    });
  }

  it('reverse_proxy preserves the content type of an upstream stream', async () => {
    for (const framing of ['Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ok\r\n0\r\n\r\n', '\r\n<p>ok']) {
      const upstream = opened.add(await responding(`HTTP/1.1 200 OK\r\n${framing}`, 'end'));
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const text = await conversation(proxy.port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
      expect(text).to.contain('<p>ok').and.not.contain('Content-Type');
    }
  });
});

/** Reports whether a frame with a field block follows the HTTP/2 client preface. */
function hasRequest(sent: Buffer): boolean {
  for (let at = frames.preface.length; at + 9 <= sent.length; at += 9 + sent.readUIntBE(at, 3))
    if (sent[at + 3] === frames.types.headers) return true;
  return false;
}
