/** Connections without libuv handles, over real sockets. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { descriptorOf, onFault } from '@sluice/base';
import { nativeProblem, PolledListener, type PolledSocket } from '@sluice/native';
import { Block } from '../src/memory.ts';
import { functionsOf, type Functions } from '../src/library.ts';
import { system } from '../src/sockets/functions.ts';

const tcp = { level: 6, noDelay: 1, keepIdle: 4 };
const keepAlive = { level: 1, option: 9 };
const signatures = { getsockopt: ['i', 'i', 'i', 'i', 'p', 'p'] } as const;
const value = new Block(8).pin();

function setOption(descriptor: number, level: number, name: number, to: number): void {
  value.bytes.writeInt32LE(to, 0);
  system().setsockopt(descriptor, level, name, value.at(0, 4), 4);
}

let getsockopt: Functions<typeof signatures>['getsockopt'] | undefined;

function option(socket: PolledSocket, level: number, name: number): number {
  value.bytes.writeInt32LE(4, 4);
  getsockopt ??= functionsOf(signatures).getsockopt;
  getsockopt(socket.connectionDescriptor, level, name, value.at(0, 4), value.at(4, 4));
  return value.bytes.readInt32LE(0);
}

describe('supportsPolledSockets', () => {
  it('supportsPolledSockets returns false if a C function is missing, and the other bindings still work', async function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
    const worker = new Worker(new URL('without-polling.ts', import.meta.url));
    const [supported] = (await once(worker, 'message')) as [unknown];
    await worker.terminate();
    expect(supported).to.deep.equal({ native: true, datagrams: true, files: true, polled: false });
  });
});

describe('PolledSocket', () => {
  let server: Server;
  let listener: PolledListener;
  let port: number;
  let accepted: PolledSocket[];
  const clients: Socket[] = [];
  before(function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
  });

  async function listen(host: string): Promise<void> {
    accepted = [];
    server = createServer(() => {
      throw new Error('libuv accepted a connection');
    }).listen(0, host);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    listener = new PolledListener((server as unknown as { _handle: { fd: number } })._handle.fd, (socket) => {
      socket.on('error', () => undefined);
      accepted.push(socket);
    });
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  }
  beforeEach(() => listen('127.0.0.1'));
  afterEach(async () => {
    listener.stop();
    for (const socket of [...clients.splice(0), ...accepted]) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  async function connected(host = '127.0.0.1'): Promise<{ client: Socket; socket: PolledSocket }> {
    const client = connect({ port, host, allowHalfOpen: true });
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    return { client, socket: await socketOf(client) };
  }

  /** Waits until the client's connection is accepted. */
  async function socketOf(client: Socket): Promise<PolledSocket> {
    for (;;) {
      const socket = accepted.find(({ remotePort }) => remotePort === client.localPort);
      if (socket !== undefined) return socket;
      await sleep(1);
    }
  }

  it('PolledSocket has the addresses of its connection', async () => {
    const { client, socket } = await connected();
    const { remoteAddress, remotePort, remoteFamily, localAddress, localPort, pending } = socket;
    expect({ remoteAddress, remotePort, remoteFamily, localAddress, localPort, pending }).to.deep.equal({
      remoteAddress: '127.0.0.1',
      remotePort: client.localPort,
      remoteFamily: 'IPv4',
      localAddress: '127.0.0.1',
      localPort: port,
      pending: false,
    });
    expect(descriptorOf(socket)).to.be.greaterThan(2);
  });

  it('PolledSocket has the addresses of IPv4 and IPv6 connections to a wildcard listener', async function () {
    listener.stop();
    await new Promise((resolve) => server.close(resolve));
    await listen('::').catch(() => this.skip());
    for (const host of ['127.0.0.1', '::1']) {
      const { client, socket } = await connected(host);
      expect([socket.remoteAddress, socket.remotePort]).to.deep.equal([host, client.localPort]);
      expect([socket.localAddress, socket.localPort]).to.deep.equal([host, port]);
    }
  });

  it('PolledSocket shows the IPv6 zone of its addresses as node:net does', async function () {
    // Connections between two link-local addresses of this machine use its loopback interface.
    const [name, found] =
      Object.entries(networkInterfaces())
        .map(([key, list]) => [key, list?.find(({ address }) => address.startsWith('fe80:'))] as const)
        .find(([, each]) => each !== undefined) ?? [];
    if (name === undefined || found === undefined) this.skip();
    listener.stop();
    await new Promise((resolve) => server.close(resolve));
    const host = `${found.address}%${name}`;
    await listen('::');
    const { client, socket } = await connected(host);
    const expected = { localAddress: host, remoteAddress: host };
    expect(expected).to.deep.equal({ localAddress: client.localAddress, remoteAddress: client.remoteAddress });
    expect({ localAddress: socket.localAddress, remoteAddress: socket.remoteAddress }).to.deep.equal(expected);
  });

  it('PolledListener sets socket options even on connections that were queued before the listening socket was configured', async () => {
    // Without a listener, nothing accepts connections, because libuv was already stopped.
    listener.stop();
    const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
    setOption(fd, tcp.level, tcp.noDelay, 0);
    const queued = Array.from({ length: 70 }, () => connect({ port, host: '127.0.0.1' }));
    clients.push(...queued);
    await Promise.all(queued.map((client) => once(client, 'connect')));
    listener = new PolledListener(fd, (socket) => accepted.push(socket));
    listener.keepAlive = 77;
    const before = await Promise.all(queued.map((client) => socketOf(client)));
    const { socket: later } = await connected();
    for (const each of [...before, later]) {
      expect(option(each, tcp.level, tcp.noDelay)).to.equal(1);
      expect(option(each, keepAlive.level, keepAlive.option)).to.equal(1);
      expect(option(each, tcp.level, tcp.keepIdle)).to.equal(77);
    }
    listener.keepAlive = 0;
    const { socket: last } = await connected();
    expect(option(last, keepAlive.level, keepAlive.option)).to.equal(0);
  });

  it('PolledListener supports only TCP sockets', async () => {
    const unix = createServer().listen('\0sluice-polled-socket-test');
    await once(unix, 'listening');
    const descriptorOfServer = (of: Server): number => (of as unknown as { _handle: { fd: number } })._handle.fd;
    expect(PolledListener.supports(descriptorOfServer(unix))).to.equal(false);
    expect(PolledListener.supports(descriptorOfServer(server))).to.equal(true);
    expect(PolledListener.supports(1_000_000)).to.equal(false);
    await new Promise((resolve) => unix.close(resolve));
  });

  it('PolledSocket transfers data in both directions, with back pressure', async () => {
    const { client, socket } = await connected();
    const bytes = Buffer.alloc(8_000_000, 'abcdefg');
    client.pause();
    expect(socket.write(bytes)).to.equal(false);
    await sleep(20);
    expect(socket.queuedBytes).to.be.greaterThan(0).and.lessThan(bytes.length);
    expect(socket.writableLength).to.equal(bytes.length);
    socket.end('end');
    const chunks: Buffer[] = [];
    client.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(client, 'end');
    expect(Buffer.concat(chunks).equals(Buffer.concat([bytes, Buffer.from('end')]))).to.equal(true);
    expect(socket.queuedBytes).to.equal(0);
    client.write(bytes);
    await sleep(50);
    // The stream is full, so reading has stopped.
    expect(socket.readableLength).to.be.lessThan(200_000);
    client.end();
    let size = 0;
    socket.on('data', (chunk: Buffer) => (size += chunk.length));
    await once(socket, 'close');
    expect(size).to.equal(bytes.length);
  });

  it('a paused PolledSocket does not read, and uses no CPU time after a reset', async () => {
    const { client, socket } = await connected();
    let size = 0;
    socket.on('data', (chunk: Buffer) => (size += chunk.length));
    socket.pause();
    client.write('unread');
    await sleep(20);
    expect(size).to.equal(0);
    socket.resume();
    await once(socket, 'data');
    socket.pause();
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    client.resetAndDestroy();
    await sleep(20);
    const before = process.cpuUsage();
    await sleep(300);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).to.be.lessThan(150_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(errors.map((error) => (error as NodeJS.ErrnoException).code)).to.deep.equal(['ECONNRESET']);
  });

  it('pending writes and empty writes to a PolledSocket fail after a connection reset', async () => {
    const { client, socket } = await connected();
    client.pause();
    const failed = new Promise<Error | null | undefined>((resolve) => socket.write(Buffer.alloc(20_000_000), resolve));
    await sleep(20);
    client.resetAndDestroy();
    expect(await failed).to.be.instanceOf(Error);
    expect(socket.destroyed).to.equal(true);
    const other = await connected();
    other.socket.pause();
    other.client.resetAndDestroy();
    await sleep(20);
    const result = await new Promise<Error | null | undefined>((resolve) =>
      other.socket.write(Buffer.alloc(0), resolve),
    );
    expect(result).to.be.instanceOf(Error);
  });

  it('an exception in a reader closes only its connection', async () => {
    const faults: unknown[] = [];
    const stop = onFault((fault) => faults.push(fault.error));
    const [one, other] = [await connected(), await connected()];
    const failure = new Error('reader failed');
    one.socket.directReader = () => {
      throw failure;
    };
    other.socket.directReader = (bytes, end) => void other.socket.write(bytes.toString('latin1', 0, end));
    one.client.write('x');
    other.client.write('y');
    one.client.resume();
    await Promise.all([once(one.client, 'end'), once(other.client, 'data')]);
    stop();
    expect(faults).to.deep.equal([failure]);
  });

  it('closed connections leave no file descriptors open, even if descriptor numbers are reused in the same event loop turn', async () => {
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 5; round++) {
      const some = await Promise.all(Array.from({ length: 40 }, () => connected()));
      for (const [i, { client, socket }] of some.entries()) {
        if (i % 4 === 0) client.resetAndDestroy();
        else if (i % 4 === 1) client.end();
        else if (i % 4 === 2) socket.destroy();
        else socket.end();
      }
      const last = await connected();
      last.client.write('still works');
      expect(String((await once(last.socket, 'data'))[0])).to.equal('still works');
      for (const { client, socket } of [...some, last]) {
        client.destroy();
        socket.destroy();
      }
    }
    await sleep(20);
    expect(readdirSync('/proc/self/fd').length).to.be.at.most(before + 2);
  });
});
