import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, parseNetworkAddress, silentLogger, type LogEntry } from '@sluice/base';
import { logWriters, type LogOutput } from '@sluice/contracts';
import { register } from '@sluice/caddy.logging.writers';
import { refusal } from '@sluice/testing';
import { DatagramOutput } from '../src/net/datagram-output.ts';
import { StreamOutput } from '../src/net/stream-output.ts';

/** A log receiver that reads lines. It can be stopped and restarted on the same port. */
class Peer {
  readonly lines: string[] = [];
  port = 0;
  /** Unix socket path. If not `null`, it replaces the port. */
  readonly #path: string | null;
  /** If true, the receiver accepts connections but does not read from them. */
  readonly #deaf: boolean;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();

  constructor({ path = null, deaf = false }: { path?: string | null; deaf?: boolean } = {}) {
    this.#path = path;
    this.#deaf = deaf;
  }

  get address(): string {
    return this.#path === null ? `tcp/127.0.0.1:${this.port}` : `unix/${this.#path}`;
  }

  async start(): Promise<void> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      if (this.#deaf) return void socket.pause();
      let rest = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n');
        rest = parts.pop() ?? '';
        this.lines.push(...parts);
      });
    });
    await new Promise<void>((resolve) => {
      if (this.#path === null) server.listen(this.port, '127.0.0.1', resolve);
      else server.listen(this.#path, resolve);
    });
    if (this.#path === null) this.port = (server.address() as AddressInfo).port;
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

  const folder = mkdtempSync(join(tmpdir(), 'sluice-net-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [kind, path] of [
    ['tcp', null],
    ['unix', join(folder, 'peer.sock')],
  ] as const) {
    it(`the net writer sends every line to a restarted peer (${kind}), and also writes the lines to standard error during the outage`, async function () {
      this.timeout(20_000);
      const other = new Peer({ path });
      await other.start();
      const meanwhile: string[] = [];
      const output = await StreamOutput.open(options(other.address, false, meanwhile));
      for (let i = 0; i < 3000; i++) {
        output.write(`line ${i}\n`, 1);
        if (i % 10 === 0) await sleep(1);
        if (i === 1000) await other.stop();
        if (i === 2000) await other.start();
      }
      await until(() => new Set(other.lines).size === 3000);
      expect(meanwhile.length).to.be.within(500, 2500);
      await output.close();
      await other.stop();
    });
  }

  it('the net writer queues 8 MiB for an unavailable peer, writes all lines to standard error, and reports the number of missed lines', async () => {
    await peer.start();
    const meanwhile: string[] = [];
    const logged: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
    const output = await StreamOutput.open({ ...options(peer.address, false, meanwhile), log });
    await peer.stop();
    await until(() => logged.some(({ message }) => /disconnected/.test(message)));
    const count = 100;
    for (let i = 0; i < count; i++) output.write(`${i} ${'x'.repeat(131_072 - 10)}\n`, 1);
    await peer.start();
    await until(() => peer.lines.length >= 60);
    output.write('last\n', 1);
    await until(() => peer.lines.at(-1) === 'last');
    await output.close();
    expect(meanwhile).to.have.length(count);
    const lost = logged.reduce((sum, { fields }) => sum + ((fields['lines'] as number | undefined) ?? 0), 0);
    expect(peer.lines.length - 1).to.equal(count - lost);
    expect(peer.lines.length - 1).to.be.within(64, 66);
  });

  it('the net writer does not block the server if the peer does not read', async () => {
    const deaf = new Peer({ deaf: true });
    await deaf.start();
    const logged: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
    const output = await StreamOutput.open({ ...options(deaf.address, false, []), log });
    const line = `${'x'.repeat(65_535)}\n`;
    for (let i = 0; i < 800; i++) {
      output.write(line, 1);
      if (i % 50 === 0) await sleep(1);
    }
    await sleep(20);
    expect(logged.map(({ message }) => message)).to.deep.equal(['log lines dropped for a socket']);
    await deaf.stop();
    await output.close();
  });

  it('the net writer requires its peer to be reachable at startup, unless soft_start is set', async () => {
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

  it('the net writer sends earlier lines to a peer that connects after a soft start', async () => {
    const other = new Peer();
    await other.start();
    await other.stop();
    const output = await StreamOutput.open(options(other.address, true, []));
    output.write('before\n', 1);
    await other.start();
    await until(() => other.lines.includes('before'));
    await output.close();
    await other.stop();
  });

  it('the net writer requires a resolvable datagram address, unless soft_start is set', async () => {
    const address = 'udp/255.255.255.255:9';
    let refused = '';
    await DatagramOutput.open(options(address, false, [])).catch((error: Error) => (refused = error.message));
    expect(refused).to.match(/ E[A-Z]+ /);
    const meanwhile: string[] = [];
    const output: LogOutput = await DatagramOutput.open(options(address, true, meanwhile));
    output.write('a\n', 1);
    expect(meanwhile).to.deep.equal(['a']);
    await output.close();
  });

  it('the net writer also writes datagrams to standard error if the port is closed', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    await new Promise<void>((resolve) => socket.close(resolve));
    const meanwhile: string[] = [];
    const output: LogOutput = await DatagramOutput.open(options(`udp/127.0.0.1:${port}`, false, meanwhile));
    for (let i = 0; i < 10; i++) {
      output.write(`${i}\n`, 1);
      await sleep(10);
    }
    await output.close();
    expect(meanwhile.length).to.be.within(5, 9);
  });

  for (const [address, message] of [
    ['{env.SLUICE_TEST_UNSET}:99', /\{env\.SLUICE_TEST_UNSET\} is empty/],
    ['{nope}:99', /unknown placeholder \{nope\}/],
    ['', /address is missing/],
    ['127.0.0.1:1-5', /one port/],
    ['unixgram//x', /network type unixgram is not supported/],
  ] as const) {
    it(`the net writer rejects the address ${JSON.stringify(address)}`, async () => {
      const settings = { register: [register], key: 'output' };
      expect(await refusal(logWriters, { output: 'net', address }, settings)).to.match(message);
    });
  }

  it('the net writer sends one datagram per line', async () => {
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
