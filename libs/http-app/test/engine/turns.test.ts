import { expect } from 'chai';
import { frames } from '@sluice/testing';
import { EngineHost, serveSocket, type SocketFacts } from '../../src/engine/index.ts';
import { startTime, turnShare } from '../../src/engine/turn-share.ts';
import { HandlerServer, type Handler } from './harness.ts';
import { MemorySocket } from './memory-socket.ts';

const { frame, preface, request, types } = frames;

const facts: SocketFacts = {
  remoteAddress: '192.0.2.1',
  remotePort: 1,
  localAddress: '192.0.2.2',
  localPort: 2,
  unix: false,
  tls: null,
  notes: { opening: null, point: null },
};
const pieceSize = 16 * 1024;
const pieces = 256;

/** SETTINGS and WINDOW_UPDATE frames of a client that accepts as much data as HTTP/2 allows. */
const greedy = Buffer.concat([
  Buffer.from(preface),
  frame(types.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  frame(types.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
]);

const requests: Readonly<Record<string, (count: number) => Buffer>> = {
  'HTTP/1.1': (count) => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count)),
  'HTTP/2': (count) => Buffer.concat([greedy, ...Array.from({ length: count }, (_, i) => request(2 * i + 1))]),
};

/** Connects a client whose socket accepts all data immediately, so that writes never block. */
function connect(handler: Handler, sent: Buffer): { socket: MemorySocket; server: HandlerServer } {
  const server = new HandlerServer(handler);
  const socket = new MemorySocket();
  serveSocket(new EngineHost(server), socket, facts);
  socket.receive(sent);
  return { socket, server };
}

/** Returns the maximum progress during one event loop turn until the target is reached. */
async function perTurn(progress: () => number, target: number): Promise<number> {
  let peak = 0;
  for (let before = progress(); before < target;) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = progress();
    peak = Math.max(peak, now - before);
    before = now;
  }
  return peak;
}

for (const [protocol, ask] of Object.entries(requests)) {
  describe(`event loop turns over ${protocol}`, () => {
    // Attack in docs/security.md: Flow-control windows of 2³¹−1 and 250 requests for a large file, from a client that does not read or
    // that disconnects.
    it('a response that never has to wait yields to the event loop after sending a bounded amount of data', async () => {
      let made = 0;
      const { socket } = connect(async ({ response }) => {
        for (; made < pieces; made++) {
          response.write(Buffer.alloc(pieceSize));
          await response.drained();
        }
      }, ask(1));
      const peak = await perTurn(() => made, pieces);
      expect(peak * pieceSize).to.be.at.most(2 * turnShare);
      socket.destroy();
    });

    it('the server yields to the event loop between requests that arrive in one read', async () => {
      let started = 0;
      const { socket } = connect(({ response }) => {
        for (const end = performance.now() + 1; performance.now() < end;);
        started++;
        response.end('x');
      }, ask(200));
      // HTTP/1.1 connections read the clock only for every 16th request.
      expect(await perTurn(() => started, 200)).to.be.below(100);
      socket.destroy();
    });

    it('the server detects a disconnect within one event loop turn, and stops generating output', async () => {
      let made = 0;
      const { socket } = connect(async ({ response }) => {
        for (; made < pieces && !response.gone; made++) {
          response.write(Buffer.alloc(pieceSize));
          if (made === 3) {
            const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
            socket._write = (_chunk, _encoding, done: (error?: Error) => void) => done(broken);
          }
          await response.drained();
        }
      }, ask(1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(made).to.be.within(4, 4 + (2 * 64 * 1024) / pieceSize);
    });
  });
}

describe('requests queued for a later event loop turn', () => {
  it('queued requests are removed without being started if their streams are reset', async () => {
    const { socket, server } = connect(
      ({ response }) => {
        for (const end = performance.now() + 2 * startTime; performance.now() < end;);
        response.end('x');
      },
      requests['HTTP/2']?.(20) as Buffer,
    );
    const cancel = Buffer.from([0, 0, 0, 8]);
    socket.receive(Buffer.concat(Array.from({ length: 20 }, (_, i) => frame(types.reset, 0, 2 * i + 1, cancel))));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.count).to.be.below(5);
    socket.destroy();
  });
});
