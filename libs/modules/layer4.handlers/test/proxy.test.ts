import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { freePort, RawClient, startEchoUpstream, type EchoUpstream, type TestServer } from '@sluice/testing';
import { handle } from './support.ts';

describe('layer4.handlers.proxy', () => {
  let a: EchoUpstream;
  let b: EchoUpstream;
  let port: number;
  let server: TestServer | null = null;
  const to = (upstream: EchoUpstream): string => `127.0.0.1:${upstream.port}`;
  const proxy = (options: JsonObject): JsonObject => ({ handler: 'proxy', ...options });

  before(async () => {
    [a, b] = await Promise.all([startEchoUpstream('A'), startEchoUpstream('B')]);
  });
  after(() => Promise.all([a.close(), b.close()]));
  beforeEach(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  it('the layer 4 proxy forwards a half-close while data still flows in the other direction', async () => {
    server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [to(a)] }] })]);
    const client = new RawClient(port).send('hello');
    client.socket.end();
    await client.closed;
    expect(client.received).to.equal('A:hello');
  });

  it('the layer 4 proxy transfers large amounts of data in both directions unchanged', async () => {
    server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [to(a)] }] })]);
    const sent = Buffer.alloc(12_000_000);
    for (let i = 0; i < sent.length; i += 4) sent.writeUInt32LE((i * 2_654_435_761) >>> 0, i);
    const client = new RawClient(port);
    await client.until('A:');
    const pieces: Buffer[] = [];
    client.socket.removeAllListeners('data');
    client.socket.on('data', (piece: Buffer) => pieces.push(piece));
    client.socket.end(sent);
    await client.closed;
    expect(Buffer.concat(pieces).equals(sent)).to.equal(true);
  });

  it('the layer 4 proxy sends all data to a client that reads slowly', async () => {
    server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [to(a)] }] })]);
    const sent = Buffer.alloc(3_000_000, 'abcdefg');
    const client = new RawClient(port);
    await client.until('A:');
    const pieces: Buffer[] = [];
    client.socket.removeAllListeners('data');
    client.socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 1);
    });
    client.socket.end(sent);
    await client.closed;
    expect(Buffer.concat(pieces).equals(sent)).to.equal(true);
  });

  it('the layer 4 proxy closes the connection if no upstream is reachable', async () => {
    const unused = await freePort();
    server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [`127.0.0.1:${unused}`] }] })]);
    const client = new RawClient(port).send('x');
    await client.closed;
    expect(client.received).to.equal('');
  });

  it('the layer 4 proxy tries a different upstream within try_duration if an upstream fails', async () => {
    const unused = await freePort();
    server = await handle(`127.0.0.1:${port}`, [
      proxy({
        upstreams: [{ dial: [`127.0.0.1:${unused}`] }, { dial: [to(b)] }],
        load_balancing: { selection: { policy: 'first' }, try_duration: '2s', try_interval: '10ms' },
      }),
    ]);
    expect(await new RawClient(port).send('x').rest()).to.equal('B:x');
  });

  it('the layer 4 proxy does not select an upstream after max_fails failures', async () => {
    const unused = await freePort();
    server = await handle(`127.0.0.1:${port}`, [
      proxy({
        upstreams: [{ dial: [`127.0.0.1:${unused}`] }, { dial: [to(b)] }],
        load_balancing: { selection: { policy: 'first' } },
        health_checks: { passive: { fail_duration: '1m' } },
      }),
    ]);
    expect(await new RawClient(port).send('x').rest()).to.equal('');
    expect(await new RawClient(port).send('x').rest()).to.equal('B:x');
  });

  it('the layer 4 proxy does not select an upstream that fails active health checks, and closes existing connections if configured', async () => {
    const failing = createServer((socket) => {
      // Ignores errors because health checks reset their connections.
      socket.on('error', () => undefined);
      socket.write('F:');
    });
    failing.listen(0, '127.0.0.1');
    await once(failing, 'listening');
    const { port: target } = failing.address() as AddressInfo;
    server = await handle(`127.0.0.1:${port}`, [
      proxy({
        upstreams: [{ dial: [`127.0.0.1:${target}`] }, { dial: [to(b)] }],
        load_balancing: { selection: { policy: 'first' } },
        health_checks: { active: { interval: '50ms', close_if_unhealthy: true } },
      }),
    ]);
    const client = new RawClient(port);
    await client.until('F:');
    // The upstream keeps its open connections but accepts no new ones.
    failing.close();
    await client.closed;
    for (;;) {
      const next = new RawClient(port).send('x');
      if ((await next.rest()) === 'B:x') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('the layer 4 proxy limits connections to an upstream with max_connections', async () => {
    server = await handle(`127.0.0.1:${port}`, [
      proxy({
        upstreams: [{ dial: [to(a)], max_connections: 1 }, { dial: [to(b)] }],
        load_balancing: { selection: { policy: 'first' } },
      }),
    ]);
    const first = new RawClient(port);
    await first.until('A:');
    expect(await new RawClient(port).send('x').rest()).to.equal('B:x');
    await first.rest();
    for (;;) if ((await new RawClient(port).send('x').rest()) === 'A:x') break;
  });

  it('the layer 4 proxy sends all client data to each address of an upstream', async () => {
    server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [to(a), to(b)] }] })]);
    const received = await new RawClient(port).send('x').rest();
    expect([...received].sort().join('')).to.equal('::ABxx');
  });

  for (const [version, header] of [
    ['v1', /^A:PROXY TCP4 127\.0\.0\.1 127\.0\.0\.1 \d+ \d+\r\nhi$/],
    ['v2', /^A:\r\n\r\n\0\r\nQUIT\n!\x11\0\x0c\x7f\0\0\x01\x7f\0\0\x01....hi$/s],
  ] as const)
    it(`the layer 4 proxy with proxy_protocol ${version} sends the client address`, async () => {
      server = await handle(`127.0.0.1:${port}`, [proxy({ upstreams: [{ dial: [to(a)] }], proxy_protocol: version })]);
      expect(await new RawClient(port).send('hi').rest()).to.match(header);
    });

  it('the layer 4 proxy expands connection placeholders in dial addresses', async () => {
    server = await handle(`127.0.0.1:${port}`, [
      { handler: 'vars', upstream: String(b.port) },
      proxy({ upstreams: [{ dial: ['127.0.0.1:{l4.vars.upstream}'] }] }),
    ]);
    expect(await new RawClient(port).send('x').rest()).to.equal('B:x');
  });

  it('weighted_round_robin selects upstreams in proportion to their weights', async () => {
    server = await handle(`127.0.0.1:${port}`, [
      proxy({
        upstreams: [{ dial: [to(a)], weight: 3 }, { dial: [to(b)] }],
        load_balancing: { selection: { policy: 'weighted_round_robin' } },
      }),
    ]);
    const names: string[] = [];
    for (let i = 0; i < 8; i++) names.push((await new RawClient(port).rest()).slice(0, 1));
    expect(names.join('')).to.equal('AABAAABA');
  });

  it('the layer 4 proxy rejects invalid options', async () => {
    for (const [options, message] of [
      [{ upstreams: [] }, 'are missing: add at least one'],
      [{ upstreams: [{ dial: [] }] }, 'requires an address'],
      [{ upstreams: [{ dial: ['127.0.0.1'] }] }, 'it must have exactly one port'],
      [{ upstreams: [{ dial: [to(a)], resolver_preference: 'v4' }] }, 'unknown value "v4"'],
      [
        { upstreams: [{ dial: [to(a)], local_address: ['::1'], resolver_preference: 'ipv4_only' }] },
        'contains no IPv4 address',
      ],
      [{ upstreams: [{ dial: [to(a)] }], proxy_protocol: 'v3' }, 'must be v1 or v2'],
    ] as const) {
      let error = '';
      try {
        await (await handle(`127.0.0.1:${port}`, [proxy(options)])).close();
      } catch (thrown) {
        error = (thrown as Error).message;
      }
      expect(error).to.include(message);
    }
  });

  it('the layer 4 proxy connects from local_address', async () => {
    const addresses: string[] = [];
    const upstream = createServer((socket) => {
      addresses.push(socket.remoteAddress ?? '');
      socket.end();
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port: target } = upstream.address() as AddressInfo;
    server = await handle(`127.0.0.1:${port}`, [
      proxy({ upstreams: [{ dial: [`127.0.0.1:${target}`], local_address: ['::1', '127.0.0.9'] }] }),
    ]);
    await new RawClient(port).rest();
    expect(addresses).to.eql(['127.0.0.9']);
    upstream.close();
  });
});

describe('layer4.handlers.proxy: UDP', () => {
  let upstream: DatagramSocket;
  let upstreamPort: number;
  /** Sources of packets. */
  const sources = new Set<number>();

  before(async () => {
    upstream = createSocket('udp4');
    upstream.on('message', (bytes, from) => {
      sources.add(from.port);
      upstream.send(`<${bytes.toString()}>`, from.port, from.address);
    });
    upstream.bind(0, '127.0.0.1');
    await once(upstream, 'listening');
    upstreamPort = upstream.address().port;
  });
  after(() => upstream.close());

  async function ask(client: DatagramSocket, port: number, ...texts: readonly string[]): Promise<string[]> {
    const received: string[] = [];
    const all = new Promise<void>((resolve) => {
      client.on('message', (bytes) => {
        received.push(bytes.toString());
        if (received.length === texts.length) resolve();
      });
    });
    for (const text of texts) client.send(text, port, '127.0.0.1');
    await all;
    return received;
  }

  it('the layer 4 proxy preserves packet boundaries, uses a separate socket for each peer, and closes the sockets of idle peers', async () => {
    const port = await freePort();
    const server = await handle(
      `udp/127.0.0.1:${port}`,
      [{ handler: 'proxy', upstreams: [{ dial: [`udp/127.0.0.1:${upstreamPort}`] }] }],
      { server: { idle_timeout: '200ms' } },
    );
    const [one, two] = [createSocket('udp4'), createSocket('udp4')];
    expect(await ask(one, port, 'a', 'bb', '')).to.eql(['<a>', '<bb>', '<>']);
    expect(await ask(two, port, 'c')).to.eql(['<c>']);
    expect(sources.size).to.equal(2);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    one.removeAllListeners('message');
    expect(await ask(one, port, 'd')).to.eql(['<d>']);
    expect(sources.size).to.equal(3);
    one.close();
    two.close();
    await server.close();
  });

  it('the layer 4 proxy immediately sends packets to an upstream address that was removed and added again', async () => {
    const port = await freePort();
    const handlers = [{ handler: 'proxy', upstreams: [{ dial: [`udp/127.0.0.1:${upstreamPort}`] }] }];
    const server = await handle(`udp/127.0.0.1:${port}`, handlers);
    const client = createSocket('udp4');
    expect(await ask(client, port, 'a')).to.eql(['<a>']);
    const { document } = server.reconciler;
    await server.reconciler.load({ storage: { module: 'memory' }, apps: { layer4: {} } });
    await server.reconciler.load(document);
    client.removeAllListeners('message');
    expect(await ask(client, port, 'b')).to.eql(['<b>']);
    client.close();
    await server.close();
  });

  it('the layer 4 proxy matches packets, and preserves the boundaries of matched packets', async () => {
    const port = await freePort();
    const server = await handle(`udp/127.0.0.1:${port}`, [], {
      server: {
        routes: [
          {
            match: [{ regexp: { pattern: '^abcd', count: 4 } }],
            handle: [{ handler: 'proxy', upstreams: [{ dial: [`udp/127.0.0.1:${upstreamPort}`] }] }],
          },
        ],
      },
    });
    const client = createSocket('udp4');
    expect(await ask(client, port, 'ab', 'cd')).to.eql(['<ab>', '<cd>']);
    client.close();
    await server.close();
  });
});
