import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { secureConfig, TestServer } from '../support/server.ts';

/** Small enough for a response to be held until the end of a read. */
const body = 'x'.repeat(15_000);

/** Returns a stream that carries the bytes of a socket. Unlike a `TLSSocket` on the socket itself, it does not read while it is paused. */
function wireOf(socket: Socket): Duplex {
  const wire: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
  });
  socket.on('data', (chunk: Buffer) => void wire.push(chunk)).on('close', () => void wire.push(null));
  socket.on('error', () => undefined);
  return wire;
}

/** Returns the number of bytes from the server that the client has not read, in the socket buffers of both sides (proc_net(5)). */
function inKernel(serverPort: number, clientPort: number): number {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const [server, client] = [hex(serverPort), hex(clientPort)];
  let sum = 0;
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
    const [, local = '', remote = '', , queues = ''] = line.trim().split(/\s+/);
    const [sending = '', receiving = ''] = queues.split(':');
    if (local.endsWith(`:${server}`) && remote.endsWith(`:${client}`)) sum += Number.parseInt(sending, 16);
    if (local.endsWith(`:${client}`) && remote.endsWith(`:${server}`)) sum += Number.parseInt(receiving, 16);
  }
  return sum;
}

/** Waits for a condition, at most `limit` milliseconds. */
async function within(limit: number, condition: () => boolean): Promise<boolean> {
  const end = performance.now() + limit;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(1);
  }
  return true;
}

const settings = [
  ['node:tls', 'off'],
  ['the bindings', 'on'],
] as const;

for (const [name, value] of settings)
  describe(`TLS output with ${name}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    before(function () {
      if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
    });
    beforeEach(() => {
      sandbox = new Sandbox();
    });
    afterEach(() => sandbox.remove());

    it(`with ${name}, a client that reads late receives all responses before its connection is aborted`, async () => {
      const { cert, key } = await signedCertificate(['localhost']);
      const server = await TestServer.runWith(
        sandbox,
        (admin, http) =>
          secureConfig(
            admin,
            http,
            [
              { match: [{ path: ['/abort'] }], handle: [{ handler: 'static_response', abort: true }] },
              { handle: [{ handler: 'static_response', body }] },
            ],
            { cert, key },
          ),
        [],
        { env: { SLUICE_NATIVE_TLS: value } },
      );
      const socket = connectPlain(server.httpPort, '127.0.0.1');
      await once(socket, 'connect');
      const client = connect({ socket: wireOf(socket), servername: 'localhost', rejectUnauthorized: false });
      client.on('error', () => undefined);
      await once(client, 'secureConnect');
      socket.pause();
      // Send requests until the socket buffers are full and the kernel no longer accepts a whole response. The client reads the first responses.
      const queued = (): number => inKernel(server.httpPort, socket.localPort as number);
      let count = 0;
      for (let isAccepted = true; isAccepted; count++) {
        const before = queued();
        client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        const isEarly = count < 20;
        isAccepted = (await within(isEarly ? 10 : 500, () => queued() - before >= body.length)) || isEarly;
      }
      client.write('GET /abort HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await sleep(200);
      let received = '';
      client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      socket.resume();
      await once(socket, 'close');
      await sleep(100);
      client.destroy();
      expect(received.split(body).length - 1).to.equal(count);
    });
  });
