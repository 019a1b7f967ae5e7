import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { Listener, Peek, undecided, type FirstBytes } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import { isDirect } from '../../src/engine/index.ts';
import { HandlerServer, loopback, RawClient } from '../engine/harness.ts';

const get = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n';
const portOf = (listener: Listener): number => (listener.address as AddressInfo).port;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Consumes the first line unless it begins with `!`. */
const firstLine = (bytes: Buffer, end: number): number => {
  const at = bytes.subarray(0, end).indexOf('\n');
  if (at < 0) return undecided;
  return bytes[0] === 0x21 ? 0 : at + 1;
};

/** Starts a listener whose wrapper chain peeks at the data with `look`. If `plain` is set, the chain receives an ordinary stream. */
async function peeking(
  look: FirstBytes['look'],
  plain: boolean,
  before: (peek: Peek) => void = () => undefined,
): Promise<Listener> {
  const listener = await Listener.open({ address: loopback, reusePort: false, log: silentLogger });
  listener.target = new HandlerServer(({ rawPath, response }) => response.end(`at ${rawPath}`));
  listener.chain = (socket, facts, serve) => {
    const seen = plain ? asStream(socket) : socket;
    const peek = new Peek(seen, { look, decided: () => serve(seen, facts) });
    before(peek);
    peek.start();
  };
  return listener;
}

/** Hides the direct read support of a socket. */
function asStream<T extends Duplex>(socket: T): T {
  return new Proxy(socket, {
    has: (target, key) => key !== 'directReader' && Reflect.has(target, key),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('Peek', () => {
  for (const plain of [false, true]) {
    describe(plain ? 'at streams' : 'at direct sockets', () => {
      it('Peek consumes the required bytes, and returns the remaining bytes to the socket', async () => {
        const listener = await peeking(firstLine, plain);
        const client = new RawClient(portOf(listener)).send(`first\n${get}`);
        await client.includes('at /x');
        await client.send(get).until((received) => received.split('at /x').length === 3);
        client.close();
        await listener.close();
      });

      it('Peek waits until it has received enough bytes for a decision', async () => {
        const listener = await peeking(firstLine, plain);
        const client = new RawClient(portOf(listener)).send('fi');
        await sleep(10);
        client.send('rs');
        await sleep(10);
        await client.send(`t\n${get}`).includes('at /x');
        client.close();
        await listener.close();
      });

      it('Peek continues even if no bytes remain', async () => {
        const listener = await peeking(firstLine, plain);
        const client = new RawClient(portOf(listener)).send('first\n');
        await sleep(20);
        await client.send(get).includes('at /x');
        client.close();
        await listener.close();
      });

      it('Peek returns all bytes to the socket if none are consumed', async () => {
        const listener = await peeking((bytes, end) => (firstLine(bytes, end) < 0 ? undecided : 0), plain);
        const client = new RawClient(portOf(listener)).send('GET /pa');
        await sleep(10);
        await client.send('th HTTP/1.1\r\nHost: a\r\n\r\n').includes('at /path');
        client.close();
        await listener.close();
      });

      it('Peek closes if the client disconnects before the decision', async () => {
        const listener = await peeking(firstLine, plain);
        const client = new RawClient(portOf(listener)).send('fi');
        client.socket.end();
        expect(await client.all()).to.equal('');
        expect(listener.connections).to.equal(0);
        await listener.close();
      });

      it('Peek returns received bytes to the socket when it is stopped', async () => {
        const peeks: Peek[] = [];
        const listener = await peeking(
          () => undecided,
          plain,
          (peek) => peeks.push(peek),
        );
        const { chain } = listener;
        listener.chain = (socket, facts, serve) => {
          chain?.(socket, facts, serve);
          setTimeout(() => {
            peeks[0]?.stop();
            serve(plain ? asStream(socket) : socket, facts);
          }, 20);
        };
        const client = new RawClient(portOf(listener)).send(get);
        await client.includes('at /x');
        client.close();
        await listener.close();
      });
    });
  }

  it('Peek works again after a previous Peek has completed', async () => {
    const listener = await Listener.open({ address: loopback, reusePort: false, log: silentLogger });
    listener.target = new HandlerServer(({ rawPath, response }) => response.end(`at ${rawPath}`));
    listener.chain = (socket, facts, serve) => {
      expect(isDirect(socket)).to.equal(true);
      const second = new Peek(socket, { look: firstLine, decided: () => serve(socket, facts) });
      new Peek(socket, { look: firstLine, decided: () => second.start() }).start();
    };
    const client = new RawClient(portOf(listener)).send(`one\ntwo\n${get}`);
    await client.includes('at /x');
    client.close();
    await listener.close();
  });
});
