import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { parseNetworkAddress, silentLogger, type LogOutput } from '@sluice/registry';
import { DatagramOutput } from '../src/net/datagram-output.ts';
import { StreamOutput } from '../src/net/stream-output.ts';

/** A peer that reads lines, and can be stopped and started on its port. */
class Peer {
  readonly lines: string[] = [];
  port = 0;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();

  async start(): Promise<void> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      let rest = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n');
        rest = parts.pop() ?? '';
        this.lines.push(...parts);
      });
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const gone = new Promise((resolve) => server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    if (server !== null) await gone;
  }
}

function options(address: string, soft: boolean, fallback: string[]) {
  const to: LogOutput = { write: (text) => fallback.push(text.trim()), close: () => undefined };
  const parsed = parseNetworkAddress(address);
  return { address: parsed, name: address, timeout: 1000, soft, fallback: to, log: silentLogger };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !isTrue(); i++) await sleep(10);
  expect(isTrue()).to.equal(true);
}

describe('caddy.logging.writers.net', () => {
  const peer = new Peer();
  beforeEach(() => {
    peer.lines.length = 0;
  });
  afterEach(() => peer.stop());

  it('gives a peer that restarts every line, and writes those of meanwhile to standard error, too', async function () {
    this.timeout(20_000);
    await peer.start();
    const meanwhile: string[] = [];
    const output = await StreamOutput.open(options(`tcp/127.0.0.1:${peer.port}`, false, meanwhile));
    for (let i = 0; i < 3000; i++) {
      output.write(`line ${i}\n`, 1);
      if (i % 10 === 0) await sleep(1);
      if (i === 1000) await peer.stop();
      if (i === 2000) await peer.start();
    }
    await until(() => new Set(peer.lines).size === 3000);
    expect(meanwhile.length).to.be.within(500, 2500);
    await output.close();
  });

  it('does not start without its peer, but with soft_start does', async () => {
    const address = 'tcp/127.0.0.1:1';
    let refused = '';
    await StreamOutput.open(options(address, false, [])).catch((error: Error) => (refused = error.message));
    expect(refused).to.match(/ECONNREFUSED/);
    const meanwhile: string[] = [];
    const output = await StreamOutput.open(options(address, true, meanwhile));
    output.write('a\n', 1);
    expect(meanwhile).to.deep.equal(['a']);
    await output.close();
  });

  it('sends a datagram for each line', async () => {
    const socket = createSocket('udp4');
    const got: string[] = [];
    socket.on('message', (message) => got.push(message.toString()));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const output: LogOutput = await DatagramOutput.open(options(`udp/127.0.0.1:${socket.address().port}`, false, []));
    output.write('a\nb\n', 2);
    await until(() => got.length === 2);
    expect(got).to.deep.equal(['a\n', 'b\n']);
    await output.close();
    await new Promise<void>((resolve) => socket.close(resolve));
  });
});
