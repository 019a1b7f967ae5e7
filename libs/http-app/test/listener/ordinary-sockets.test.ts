/** Runs the listener tests with ordinary sockets. The server uses them if Node's internal handle is unavailable. */
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Listener } from '@sluice/http-app';
import { directReads, polledSockets, silentLogger } from '@sluice/base';
import { nativeProblem, PolledSocket } from '@sluice/native';
import type { SocketChain } from '../../src/engine/index.ts';
import { HandlerServer, loopback, RawClient, type Handler } from '../engine/harness.ts';

const length = 200_000;
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const echo: Handler = async ({ method, body, response }) => {
  const { length: size } = await body.bytes(2 * length);
  response.end(`${method} ${size};`);
};

for (const kind of ['direct', 'ordinary', 'polled'] as const) {
  describe(`listener with ${kind} sockets`, () => {
    let listener: Listener;
    const kinds: string[] = [];
    const wasPolled = polledSockets.allowed;
    const look: SocketChain = (socket, facts, next) => {
      kinds.push(socket instanceof PolledSocket ? 'polled' : 'directReader' in socket ? 'direct' : 'ordinary');
      next(socket, facts);
    };
    before(function () {
      if (kind === 'polled' && nativeProblem() !== null) this.skip();
    });
    beforeEach(async () => {
      directReads.allowed = kind !== 'ordinary';
      polledSockets.allowed = kind === 'polled';
      listener = await Listener.open({ address: loopback, reusePort: false, log: silentLogger });
      listener.chain = look;
      listener.polls = true;
      listener.target = new HandlerServer(echo);
      kinds.length = 0;
      // Waits, because libuv keeps accepting connections until the next event loop turns.
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    });
    afterEach(async () => {
      directReads.allowed = true;
      polledSockets.allowed = wasPolled;
      await listener.close();
    });
    const client = (): RawClient => new RawClient((listener.address as AddressInfo).port);

    it(`the listener uses ${kind} sockets as configured`, async () => {
      const one = client().send(get);
      await one.includes('GET 0;');
      one.close();
      expect(kinds).to.deep.equal([kind]);
    });

    it(`a listener with ${kind} sockets does not use polled sockets while the configuration does not poll`, async () => {
      const unpolled = kind === 'polled' ? 'direct' : kind;
      for (const [polls, expected] of [
        [false, unpolled],
        [true, kind],
        [false, unpolled],
      ] as const) {
        listener.polls = polls;
        listener.target = new HandlerServer(echo);
        for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
        kinds.length = 0;
        for (let i = 0; i < 3; i++) {
          const one = client().send(get);
          await one.includes('GET 0;');
          one.close();
        }
        expect(kinds).to.deep.equal([expected, expected, expected]);
      }
    });

    it(`a listener with ${kind} sockets serves sequential, pipelined and fragmented requests`, async () => {
      const one = client().send(get + get);
      await one.until((received) => received.split('GET 0;').length === 3);
      for (const sign of get) one.send(sign);
      await one.until((received) => received.split('GET 0;').length === 4);
      expect(one.closed).to.equal(false);
      one.close();
    });

    it(`a listener with ${kind} sockets reads sized and chunked bodies`, async () => {
      const one = client().send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
      one.send('x'.repeat(length));
      await one.includes(`POST ${length};`);
      one.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
      one.send(`4\r\nbody\r\n${length.toString(16)}\r\n${'y'.repeat(length)}\r\n0\r\n\r\n`);
      await one.includes(`POST ${length + 4};`);
      one.close();
    });
  });
}
