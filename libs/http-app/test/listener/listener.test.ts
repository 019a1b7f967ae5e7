import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Listener } from '@sluice/http-app';
import {
  canReusePort,
  closeDescriptor,
  duplicateDescriptor,
  parseNetworkAddress,
  silentLogger,
  type NetworkAddress,
} from '@sluice/base';
import { exchangeBytes, HandlerServer, loopback, RawClient, type Handler } from '../engine/harness.ts';
import { firstReservedOf } from '../../src/listener/descriptors.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const hello: Handler = ({ response }) => response.end('hello');

const open = (address: NetworkAddress, reusePort = false): Promise<Listener> =>
  Listener.open({ address, reusePort, log: silentLogger });
const portOf = (listener: Listener): number => (listener.address as AddressInfo).port;

async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('did not fail');
}

describe('listener', () => {
  it('a listener queues connections until a server is attached', async () => {
    const listener = await open(loopback);
    const client = new RawClient(portOf(listener)).send(get);
    await sleep(30);
    expect(client.received).to.equal('');
    listener.target = new HandlerServer(hello);
    await client.includes('hello');
    client.close();
    await listener.close();
  });

  // Attack in docs/security.md: File descriptor exhaustion.
  it('a listener reserves the last file descriptors so that it can continue to serve open connections', async () => {
    const reports: string[] = [];
    const log = { ...silentLogger, error: (message: string) => void reports.push(message) };
    const probe = openSync('/dev/null', 'r');
    closeSync(probe);
    // The limit leaves room for descriptors that the listener, the first connection and the clients of this process use.
    const listener = await Listener.open({
      address: loopback,
      reusePort: false,
      log,
      firstReserved: probe + 3 + 40 + 10,
    });
    listener.target = new HandlerServer(hello);
    const first = new RawClient(portOf(listener));
    await first.send(get).includes('hello');
    const others = Array.from({ length: 40 }, () => new RawClient(portOf(listener)));
    await sleep(50);
    expect(others.filter(({ socket }) => socket.closed).length).to.be.within(5, 39);
    expect(listener.connections).to.be.within(2, 36);
    expect(reports).to.have.length(1);
    first.received = '';
    await first.send(get).includes('hello');
    for (const client of [first, ...others]) client.close();
    await listener.close();
  });

  it('a listener derives the number of reserved file descriptors from the open file limit', () => {
    const text = (soft: string): string =>
      `Limit  Soft  Hard  Units\nMax open files            ${soft}       524288     files\n`;
    expect(firstReservedOf(text('512'))).to.equal(448);
    expect(firstReservedOf(text('1048576'))).to.equal(1_047_552);
    for (const unknown of ['', text('unlimited')]) expect(firstReservedOf(unknown)).to.equal(Number.POSITIVE_INFINITY);
  });

  it('a listener serves each request with the current server', async () => {
    const listener = await open(loopback);
    listener.target = new HandlerServer(({ response }) => response.end('one'));
    const client = new RawClient(portOf(listener)).send(get);
    await client.includes('one');
    listener.target = new HandlerServer(({ response }) => response.end('two'));
    await client.send(get).includes('two');
    client.close();
    await listener.close();
  });

  it('a listener reports the address that is already in use', async () => {
    const first = await open(loopback);
    const address = { ...loopback, startPort: portOf(first), endPort: portOf(first) };
    const error = await failure(open(address));
    expect(error.message).to.equal(
      `cannot listen on 127.0.0.1:${portOf(first)}: the address is in use by another program`,
    );
    expect(error.code).to.equal('ERR_LISTEN');
    await first.close();
    await (await open(address)).close();
  });

  it('a listener does not close an inherited descriptor that is still in use', async function () {
    if (duplicateDescriptor(0) === null) this.skip();
    const given = createServer().listen(0, '127.0.0.1');
    await once(given, 'listening');
    const { port } = given.address() as AddressInfo;
    const descriptor = duplicateDescriptor((given as unknown as { _handle: { fd: number } })._handle.fd) ?? -1;
    // Stops accepting connections on the remaining descriptor.
    given.close();
    for (const text of ['one', 'two']) {
      const listener = await open(parseNetworkAddress(`fd/${descriptor}`));
      listener.target = new HandlerServer(({ response }) => response.end(text));
      expect(portOf(listener)).to.equal(port);
      await new RawClient(portOf(listener)).send(get).includes(text);
      await listener.close();
    }
    closeDescriptor(descriptor);
    expect((await failure(open(parseNetworkAddress('fd/9999')))).message).to.equal(
      'cannot listen on fd/9999: descriptor 9999 is not open',
    );
  });

  it('a listener rejects unknown networks', async () => {
    for (const text of ['udp/127.0.0.1:0', 'unixgram//tmp/x', 'nope/127.0.0.1:0']) {
      expect((await failure(open(parseNetworkAddress(text)))).message).to.match(/^cannot listen on /);
    }
  });

  it('a listener can listen on IPv6, and on all interfaces', async function () {
    const listener = await open(parseNetworkAddress('[::1]:0')).catch(() => null);
    if (listener === null) this.skip();
    listener.target = new HandlerServer(({ connection, response }) => response.end(connection.remoteAddress));
    const socket = connect(portOf(listener), '::1').setEncoding('latin1');
    socket.write(get);
    expect((await once(socket, 'data'))[0]).to.match(/::1$/);
    socket.destroy();
    await listener.close();
    const all = await open(parseNetworkAddress(':0'));
    all.target = new HandlerServer(({ connection, response }) => response.end(connection.remoteAddress));
    expect(await exchangeBytes(portOf(all), get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).to.match(
      /127\.0\.0\.1$/,
    );
    await all.close();
  });

  it('a listener shares its port if the system supports SO_REUSEPORT', async function () {
    if (!(await canReusePort())) this.skip();
    const first = await open(loopback, true);
    const second = await open({ ...loopback, startPort: portOf(first), endPort: portOf(first) }, true);
    await first.close();
    second.target = new HandlerServer(hello);
    await new RawClient(portOf(second))
      .send(get)
      .includes('hello')
      .then((text) => expect(text).to.include('hello'));
    await second.close();
  });

  describe('listener on a Unix socket', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'listener-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    async function talk(path: string): Promise<string> {
      const socket = connect(path).setEncoding('latin1');
      socket.write(get);
      const [data] = (await once(socket, 'data')) as [string];
      socket.destroy();
      return data;
    }

    it('a Unix socket listener sets permissions and removes its file', async () => {
      const path = join(folder, 's.sock');
      for (const [text, mode] of [
        [`unix/${path}`, 0o200],
        [`unix/${path}|0666`, 0o666],
      ] as const) {
        const listener = await open(parseNetworkAddress(text));
        listener.target = new HandlerServer(({ connection, response }) =>
          response.end(`${connection.unix} ${connection.remoteAddress}|${connection.remotePort}`),
        );
        expect(statSync(path).mode & 0o777).to.equal(mode);
        expect(listener.address).to.equal(path);
        expect(await talk(path)).to.match(/true \|0$/);
        await listener.close();
        expect(existsSync(path)).to.equal(false);
      }
    });

    it('a Unix socket listener replaces only a stale socket', async () => {
      const path = join(folder, 's.sock');
      const server = createServer().listen(path);
      await once(server, 'listening');
      expect((await failure(open(parseNetworkAddress(`unix/${path}`)))).message).to.include('in use');
      // A process that crashes leaves its socket file behind. The test simulates this with a hard link.
      const { linkSync } = await import('node:fs');
      const stale = join(folder, 'stale.sock');
      linkSync(path, stale);
      server.close();
      const listener = await open(parseNetworkAddress(`unix/${stale}`));
      await listener.close();
      const file = join(folder, 'file');
      writeFileSync(file, 'precious');
      await failure(open(parseNetworkAddress(`unix/${file}`)));
      expect(existsSync(file)).to.equal(true);
    });

    it('a Unix socket listener supports abstract sockets', async function () {
      if (process.platform !== 'linux') this.skip();
      const name = `sluice-test-${process.pid}`;
      const listener = await open(parseNetworkAddress(`unix/@${name}`));
      listener.target = new HandlerServer(hello);
      expect(await talk(`\0${name}`)).to.match(/hello$/);
      await listener.close();
    });
  });

  describe('retired listener', () => {
    it('a retired listener closes idle connections, finishes other connections, and rejects new connections', async () => {
      const listener = await open(loopback);
      const port = portOf(listener);
      listener.target = new HandlerServer(async ({ response, uri }) => {
        if (uri === '/slow') await sleep(60);
        response.end(`response to ${uri}`);
      });
      const idle = new RawClient(port).send(get);
      await idle.includes('response');
      const busy = new RawClient(port).send(get.replace('/', '/slow'));
      const fresh = new RawClient(port);
      await sleep(20);
      listener.retire();
      await idle.all();
      expect(busy.closed).to.equal(false);
      fresh.send(get);
      expect(await fresh.all())
        .to.include('Connection: close')
        .and.include('response to /');
      expect(await busy.all())
        .to.include('Connection: close')
        .and.include('response to /slow');
      expect(await new RawClient(port).all()).to.equal('');
      await listener.close();
    });

    it('a retired listener aborts requests after the grace period', async () => {
      const listener = await open(loopback);
      listener.graceMs = 60;
      let reported = (): void => undefined;
      const aborted = new Promise<void>((resolve) => (reported = resolve));
      listener.target = new HandlerServer(async (exchange) => {
        exchange.response.write('begun');
        exchange.response.flush();
        while (!exchange.aborted) await sleep(5);
        reported();
      });
      const client = new RawClient(portOf(listener)).send(get);
      await client.includes('begun');
      const start = performance.now();
      listener.retire();
      await client.all();
      expect(performance.now() - start).to.be.above(40);
      await aborted;
      await listener.close();
    });

    it('a retired listener keeps upgraded connections open', async () => {
      const listener = await open(loopback);
      listener.target = new HandlerServer(({ connection, response }) => {
        response.writeHead(101);
        const upgraded = connection.upgrade();
        upgraded?.socket.pipe(upgraded.socket);
      });
      const client = new RawClient(portOf(listener)).send(get);
      await client.includes('101');
      listener.retire();
      await sleep(20);
      await client.send('still here').includes('still here');
      await listener.close();
      await client.all();
    });
  });

  it('listener wrappers can wait, change connection properties, and provide streams other than sockets', async () => {
    const listener = await open(loopback);
    listener.target = new HandlerServer(({ connection, response }) => response.end(`from ${connection.remoteAddress}`));
    listener.chain = (socket, facts, serve) => {
      // A listener wrapper for the test. The first line of a connection contains the peer address.
      socket.once('readable', () => {
        const bytes = socket.read() as Buffer;
        const end = bytes.indexOf('\n');
        facts.remoteAddress = bytes.toString('latin1', 0, end);
        socket.unshift(bytes.subarray(end + 1));
        serve(socket, facts);
      });
    };
    const client = new RawClient(portOf(listener)).send(`192.0.2.7\n${get}`);
    await client.includes('from 192.0.2.7');
    await client.send(get).until((received) => received.split('from').length === 3);
    client.close();
    await listener.close();
  });
});
