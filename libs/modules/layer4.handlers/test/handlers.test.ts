import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import {
  freePort,
  RawClient,
  startEchoUpstream,
  throwAwayCertificate,
  type EchoUpstream,
  type TestServer,
} from '@sluice/testing';
import { handle } from './support.ts';

describe('layer4.handlers', () => {
  let upstream: EchoUpstream;
  let port: number;
  let server: TestServer | null = null;
  const start = async (handlers: Json, apps: JsonObject = {}): Promise<void> => {
    server = await handle(`127.0.0.1:${port}`, handlers, { apps });
  };
  const proxy = (): JsonObject => ({ handler: 'proxy', upstreams: [{ dial: [`127.0.0.1:${upstream.port}`] }] });

  before(async () => {
    upstream = await startEchoUpstream('A');
  });
  after(() => upstream.close());
  beforeEach(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  it('the echo handler sends all data back', async () => {
    await start([{ handler: 'echo' }]);
    const text = 'x'.repeat(300_000);
    expect(await new RawClient(port).send(text).rest()).to.equal(text);
  });

  it('the close handler closes the connection', async () => {
    await start([{ handler: 'close' }]);
    const client = new RawClient(port).send('x');
    await client.closed;
    expect(client.received).to.equal('');
  });

  it('the vars handler sets variables whose names and values may contain placeholders', async () => {
    await start([
      { handler: 'vars', 'a{l4.vars.none}': '{l4.conn.local_addr}', count: 2 },
      {
        handler: 'subroute',
        routes: [
          {
            match: [{ vars: { a: [`127.0.0.1:${port}`] }, vars_regexp: { count: { pattern: '^2$' } } }],
            handle: [proxy()],
          },
        ],
      },
    ]);
    expect(await new RawClient(port).send('x').rest()).to.equal('A:x');
  });

  it('the tls handler terminates TLS, and sets placeholders with connection details', async () => {
    const { cert: certificate, key } = await throwAwayCertificate(['a.test']);
    await start(
      [
        { handler: 'tls', connection_policies: [{ alpn: ['x/1'] }] },
        { handler: 'vars', name: '{l4.tls.server_name}', protocol: '{l4.tls.proto}', version: '{l4.tls.version}' },
        {
          handler: 'subroute',
          routes: [
            {
              match: [{ vars: { name: ['a.test'] }, ssh: {} }, { vars: { protocol: ['none'] } }],
              handle: [proxy()],
            },
          ],
        },
        { handler: 'echo' },
      ],
      { tls: { certificates: { load_pem: [{ certificate, key }] } } },
    );
    const ask = async (servername: string, text: string): Promise<string> => {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        servername,
        rejectUnauthorized: false,
        ALPNProtocols: ['x/1'],
      });
      let received = '';
      socket.on('data', (piece: Buffer) => (received += piece.toString()));
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      expect(socket.alpnProtocol).to.equal('x/1');
      socket.end(text);
      await once(socket, 'close');
      return received;
    };
    expect(await ask('a.test', 'SSH-2')).to.equal('A:SSH-2');
    expect(await ask('a.test', 'other')).to.equal('other');
  });

  for (const handler of ['tls', 'postgres_tls', 'proxy_protocol', 'socks5'])
    it(`the ${handler} handler closes connections of clients that send nothing @long`, async () => {
      await start([{ handler }, { handler: 'echo' }]);
      const startedAt = performance.now();
      await new RawClient(port).closed;
      expect(performance.now() - startedAt).to.be.within(14_000, 25_000);
    });

  it('the proxy_protocol handler replaces the client address', async () => {
    await start([
      { handler: 'proxy_protocol' },
      {
        handler: 'subroute',
        routes: [{ match: [{ remote_ip: { ranges: ['192.0.2.1'] } }], handle: [proxy()] }],
      },
      { handler: 'echo' },
    ]);
    const header = 'PROXY TCP4 192.0.2.1 192.0.2.2 1000 2000\r\n';
    expect(await new RawClient(port).send(`${header}hi`).rest()).to.equal('A:hi');
    expect(await new RawClient(port).send('hi').rest()).to.equal('hi');
  });

  it('the proxy_protocol handler applies its policy to unlisted peers', async () => {
    await start([{ handler: 'proxy_protocol', allow: ['10.0.0.0/8'], fallback_policy: 'REJECT' }, { handler: 'echo' }]);
    expect(await new RawClient(port).send('PROXY TCP4 192.0.2.1 192.0.2.2 1000 2000\r\nhi').rest()).to.equal('');
    expect(await new RawClient(port).send('hi').rest()).to.equal('hi');
  });

  it('the throttle handler reads at the configured rate after its latency', async () => {
    await start([
      { handler: 'throttle', read_bytes_per_second: 10_000, read_burst_size: 1000, latency: '100ms' },
      { handler: 'echo' },
    ]);
    const startedAt = performance.now();
    const text = 'x'.repeat(4000);
    const client = new RawClient(port).send(text);
    await client.until('x');
    expect(performance.now() - startedAt).to.be.greaterThan(90);
    expect(await client.rest()).to.equal(text);
    // The transfer exceeds the burst by 3,000 bytes, which take 300 ms.
    expect(performance.now() - startedAt).to.be.within(380, 3000);
  });

  it('the throttle handler limits the total rate of all connections', async () => {
    await start([
      { handler: 'throttle', total_read_bytes_per_second: 10_000, total_read_burst_size: 1000 },
      { handler: 'echo' },
    ]);
    const startedAt = performance.now();
    const text = 'x'.repeat(2000);
    const [one, two] = [new RawClient(port).send(text), new RawClient(port).send(text)];
    expect(await Promise.all([one.rest(), two.rest()])).to.eql([text, text]);
    expect(performance.now() - startedAt).to.be.within(280, 3000);
  });

  it('the tee handler copies client data to its branch, and sends the output of the branch and of the next handler to the client', async () => {
    await start([{ handler: 'tee', branch: [proxy()] }, { handler: 'echo' }]);
    const client = new RawClient(port).send('ab');
    await client.until('A:ab');
    expect([...(await client.rest())].sort().join('')).to.equal(':Aaabb');
  });

  it('the tee handler continues if the branch fails', async () => {
    const unused = await freePort();
    await start([
      { handler: 'tee', branch: [{ handler: 'proxy', upstreams: [{ dial: [`127.0.0.1:${unused}`] }] }] },
      { handler: 'echo' },
    ]);
    const text = 'x'.repeat(500_000);
    expect(await new RawClient(port).send(text).rest()).to.equal(text);
  });

  it('the postgres_tls handler accepts a TLS request, and rejects data sent together with the request', async () => {
    await start([{ handler: 'postgres_tls' }, { handler: 'echo' }]);
    const request = '\0\0\0\x08\x04\xd2\x16\x2f';
    const client = new RawClient(port).send(request);
    await client.until('S');
    expect(await client.send('next').rest()).to.equal('Snext');
    expect(await new RawClient(port).send('plain').rest()).to.equal('plain');
    expect(await new RawClient(port).send(`${request}early`).rest()).to.equal('');
  });
});

describe('layer4.handlers.socks5', () => {
  let upstream: EchoUpstream;
  let port: number;
  let server: TestServer | null = null;
  before(async () => {
    upstream = await startEchoUpstream('A');
  });
  after(() => upstream.close());
  beforeEach(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  const bytes = (...values: readonly number[]): string => String.fromCharCode(...values);
  const connectTo = (to: number): string => bytes(5, 1, 0, 1, 127, 0, 0, 1, to >> 8, to & 0xff);

  it('the socks5 handler connects to the destination that the client requests', async () => {
    server = await handle(`127.0.0.1:${port}`, [{ handler: 'socks5' }]);
    const client = new RawClient(port).send(bytes(5, 1, 0));
    await client.until(bytes(5, 0));
    client.send(`${connectTo(upstream.port)}hi`);
    await client.until('A:hi');
    expect(client.received.slice(0, 6)).to.equal(bytes(5, 0, 5, 0, 0, 1));
    await client.rest();
  });

  it('the socks5 handler resolves names', async () => {
    server = await handle(`127.0.0.1:${port}`, [{ handler: 'socks5' }]);
    const client = new RawClient(port).send(bytes(5, 1, 0));
    const request = `${bytes(5, 1, 0, 3, 9)}localhost${bytes(upstream.port >> 8, upstream.port & 0xff)}`;
    for (const character of request) client.send(character);
    await client.until('A:');
    await client.rest();
  });

  it('the socks5 handler requires a user name and password if credentials are configured', async () => {
    server = await handle(`127.0.0.1:${port}`, [{ handler: 'socks5', credentials: { ada: 'secret' } }]);
    const without = new RawClient(port).send(bytes(5, 1, 0));
    await without.closed;
    expect(without.received).to.equal(bytes(5, 255));
    const wrong = new RawClient(port).send(`${bytes(5, 1, 2, 1, 3)}ada${bytes(5)}wrong`);
    await wrong.closed;
    expect(wrong.received).to.equal(bytes(5, 2, 1, 1));
    const right = new RawClient(port).send(`${bytes(5, 2, 0, 2, 1, 3)}ada${bytes(6)}secret${connectTo(upstream.port)}`);
    await right.until('A:');
    expect(right.received.startsWith(bytes(5, 2, 1, 0, 5, 0))).to.equal(true);
    await right.rest();
  });

  it('the socks5 handler rejects unsupported commands, and reports destinations that refuse the connection', async () => {
    server = await handle(`127.0.0.1:${port}`, [{ handler: 'socks5' }]);
    const associate = new RawClient(port).send(bytes(5, 1, 0, 5, 3, 0, 1, 0, 0, 0, 0, 0, 0));
    await associate.closed;
    expect(associate.received.slice(2, 4)).to.equal(bytes(5, 7));
    const unused = await freePort();
    const refused = new RawClient(port).send(bytes(5, 1, 0) + connectTo(unused));
    await refused.closed;
    expect(refused.received.slice(2, 4)).to.equal(bytes(5, 5));
  });
});
