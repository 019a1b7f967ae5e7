import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { DatagramPair, nativeProblem, UdpPeer, UdpSocket, type DatagramTaker } from '@sluice/native';
import { writeAddress } from '../src/sockets/socket-address.ts';

interface Taken {
  readonly text: string;
  readonly from: UdpPeer;
  readonly codepoint: number;
}

const owner = {
  fault: (error: unknown): void => {
    throw error;
  },
};

function bind(host: string, more: { isIPv6?: boolean; port?: number; reusePort?: boolean } = {}): UdpSocket {
  const { isIPv6 = false, port = 0, reusePort = false } = more;
  const socket = UdpSocket.bind({ host, port, isIPv6, only: false, reusePort }, owner);
  if (socket === null) throw new Error('the socket could not be bound');
  return socket;
}

/** Collects `count` datagrams. */
function collect(socket: UdpSocket, count: number): Promise<Taken[]> {
  return new Promise((resolve) => {
    const taken: Taken[] = [];
    const taker: DatagramTaker = {
      ...owner,
      onDatagram: (bytes, { start, end }, from, codepoint) => {
        taken.push({ text: bytes.toString('latin1', start, end), from, codepoint });
        if (taken.length === count) resolve(taken);
      },
      onBatch: () => undefined,
    };
    socket.taker = taker;
    socket.reading = true;
  });
}

describe('UdpSocket', function () {
  before(function () {
    if (nativeProblem() !== null || process.platform !== 'linux') this.skip();
  });
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  it('UdpSocket sends many datagrams in one call, and the datagrams arrive separately with their ECN marks', async () => {
    const from = bind('127.0.0.1');
    const to = bind('127.0.0.1');
    open.push(from, to);
    const arrived = collect(to, 4);
    const start = from.memory.write('aaaabbbbccccdd', 100, 'latin1') && 100;
    const run = {
      bytes: from.memory,
      start,
      end: 114,
      segment: 4,
      to: { host: '127.0.0.1', port: to.port },
      codepoint: 2,
    };
    from.send(run);
    const taken = await arrived;
    expect(taken.map(({ text }) => text)).to.deep.equal(['aaaa', 'bbbb', 'cccc', 'dd']);
    expect(taken.map(({ codepoint }) => codepoint)).to.deep.equal([2, 2, 2, 2]);
    expect(new Set(taken.map(({ from: peer }) => peer)).size).to.equal(1);
    expect(taken[0]?.from.key).to.equal(`127.0.0.1:${from.port}`);
  });

  it('UdpSocket reports the address of each of 400 peers, even if two peers use the same cache slot', async () => {
    const server = bind('127.0.0.1');
    open.push(server);
    const clients = await Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        const client = createSocket('udp4').bind(0, `127.0.${i % 7}.${1 + (i % 250)}`);
        await once(client, 'listening');
        open.push({ close: () => client.close() });
        const { address, port } = client.address();
        return { client, key: `${address}:${port}` };
      }),
    );
    for (let round = 0; round < 3; round++) {
      const arrived = collect(server, clients.length);
      for (const { client, key } of clients) client.send(key, server.port, '127.0.0.1');
      const taken = await arrived;
      expect(taken.map(({ from: { key } }) => key)).to.deep.equal(taken.map(({ text }) => text));
      expect(new Set(taken.map(({ text }) => text)).size).to.equal(clients.length);
    }
  });

  it('UdpSocket reports the local address of a datagram, and responds from this address', async () => {
    const server = bind('::', { isIPv6: true });
    const client = bind('127.0.0.1');
    open.push(server, client);
    const asked = collect(server, 1);
    client.memory.write('hello', 0);
    client.send({
      bytes: client.memory,
      start: 0,
      end: 5,
      segment: 5,
      to: { host: '127.0.0.2', port: server.port },
      codepoint: 0,
    });
    const [question] = await asked;
    expect(question?.from.local).to.equal('127.0.0.2');
    expect(question?.from.host).to.equal('127.0.0.1');
    const answered = collect(client, 1);
    server.memory.write('world', 0);
    server.send({ bytes: server.memory, start: 0, end: 5, segment: 5, to: question?.from as UdpPeer, codepoint: 1 });
    const [answer] = await answered;
    expect(answer).to.include({ text: 'world', codepoint: 1 });
    expect(answer?.from.host).to.equal('127.0.0.2');
  });

  it('UdpSocket supports IPv6', async () => {
    const server = bind('::1', { isIPv6: true });
    const client = bind('::1', { isIPv6: true });
    open.push(server, client);
    const asked = collect(server, 1);
    client.memory.write('x', 0);
    client.send({
      bytes: client.memory,
      start: 0,
      end: 1,
      segment: 1,
      to: { host: '::1', port: server.port },
      codepoint: 3,
    });
    expect((await asked)[0]).to.deep.include({ text: 'x', codepoint: 3 });
  });

  it('UdpSocket.bind returns null for an address in use', () => {
    const first = bind('127.0.0.1');
    open.push(first);
    expect(
      UdpSocket.bind({ host: '127.0.0.1', port: first.port, isIPv6: false, only: false, reusePort: false }, owner),
    ).to.equal(null);
  });

  it('UdpSocket drops datagrams without an address, and sends nothing after it is closed', () => {
    const socket = bind('127.0.0.1');
    socket.send({ bytes: socket.memory, start: 0, end: 1, segment: 1, to: { host: 'nowhere', port: 1 }, codepoint: 0 });
    socket.close();
    socket.close();
    socket.send({
      bytes: socket.memory,
      start: 0,
      end: 1,
      segment: 1,
      to: { host: '127.0.0.1', port: 1 },
      codepoint: 0,
    });
  });

  it('UdpSocket rejects ranges outside its memory', () => {
    const socket = bind('127.0.0.1');
    open.push(socket);
    const end = socket.memory.length + 1;
    const run = {
      bytes: socket.memory,
      start: end - 10,
      end,
      segment: 10,
      to: { host: '127.0.0.1', port: 9 },
      codepoint: 0,
    };
    expect(() => socket.send(run)).to.throw(RangeError);
  });

  it('UdpSocket does not prevent the termination of a worker thread that watches the socket', async () => {
    const source = `
      const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(import.meta.resolve('@sluice/native'))}).then(({ UdpSocket }) => {
        globalThis.socket = UdpSocket.bind({ host: '127.0.0.1', port: 0, isIPv6: false, only: false, reusePort: false }, { fault() {} });
        globalThis.socket.reading = true;
        parentPort.postMessage('ready');
        setInterval(() => undefined, 1000);
      });`;
    for (let i = 0; i < 3; i++) {
      const worker = new Worker(source, { eval: true });
      await once(worker, 'message');
      await worker.terminate();
    }
  });
});

describe('UdpPeer', function () {
  before(function () {
    if (nativeProblem() !== null || process.platform !== 'linux') this.skip();
  });

  it('UdpPeer shows the IPv6 zone as an interface name, or as a number if the interface does not exist', () => {
    for (const [zone, shown] of [
      [1, 'lo'],
      [99_999, '99999'],
      [0, ''],
    ] as const) {
      const bytes = Buffer.alloc(28);
      const size = writeAddress(bytes, { host: `fe80::1%${zone}`, port: 443, isIPv6: true });
      const { host, key } = new UdpPeer(bytes, size, null);
      expect(host).to.equal(shown === '' ? 'fe80::1' : `fe80::1%${shown}`);
      expect(key).to.equal(`${host}:443`);
      const copy = Buffer.alloc(28);
      expect(writeAddress(copy, { host, port: 443, isIPv6: true })).to.equal(size);
      expect(copy.equals(bytes)).to.equal(true);
    }
  });
});

describe('DatagramPair', function () {
  before(function () {
    if (nativeProblem() !== null || process.platform !== 'linux') this.skip();
  });

  it('DatagramPair transfers datagrams, and reports when the other side closes', async () => {
    const [one, other] = DatagramPair.open();
    const arrived = new Promise<Buffer>((resolve) => {
      other.read(owner, resolve);
    });
    expect(one.send(Buffer.from('datagram'))).to.equal(true);
    expect((await arrived).toString()).to.equal('datagram');
    other.close();
    expect(one.send(Buffer.from('late'))).to.equal(false);
    one.close();
    one.close();
    expect(one.send(Buffer.from('closed'))).to.equal(false);
  });
});
