/** Runs the listener tests with ordinary sockets. The server uses them if Node's internal handle is unavailable. */
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Listener } from '@sluice/http-app';
import { directReads, silentLogger } from '@sluice/base';
import type { SocketChain } from '../../src/engine/index.ts';
import { HandlerServer, loopback, RawClient, type Handler } from '../engine/harness.ts';

const length = 200_000;
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const echo: Handler = async ({ method, body, response }) => {
  const { length: size } = await body.bytes(2 * length);
  response.end(`${method} ${size};`);
};

for (const allowed of [true, false]) {
  describe(`listener with ${allowed ? 'direct' : 'ordinary'} sockets`, () => {
    let listener: Listener;
    const kinds: boolean[] = [];
    const look: SocketChain = (socket, facts, next) => {
      kinds.push('directReader' in socket);
      next(socket, facts);
    };
    beforeEach(async () => {
      directReads.allowed = allowed;
      listener = await Listener.open({ address: loopback, reusePort: false, log: silentLogger });
      listener.target = new HandlerServer(echo);
      kinds.length = 0;
    });
    afterEach(async () => {
      directReads.allowed = true;
      await listener.close();
    });
    const client = (): RawClient => new RawClient((listener.address as AddressInfo).port);

    it(`the listener uses ${allowed ? 'direct' : 'ordinary'} sockets as configured`, async () => {
      listener.chain = look;
      const one = client().send(get);
      await one.includes('GET 0;');
      one.close();
      expect(kinds).to.deep.equal([allowed]);
    });

    it(`a listener with ${allowed ? 'direct' : 'ordinary'} sockets serves sequential, pipelined and fragmented requests`, async () => {
      const one = client().send(get + get);
      await one.until((received) => received.split('GET 0;').length === 3);
      for (const sign of get) one.send(sign);
      await one.until((received) => received.split('GET 0;').length === 4);
      expect(one.closed).to.equal(false);
      one.close();
    });

    it(`a listener with ${allowed ? 'direct' : 'ordinary'} sockets reads sized and chunked bodies`, async () => {
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
