import { once } from 'node:events';
import http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { paceRule, type Exchange, type ServerLimits } from '@sluice/http-app';
import { frames } from '@sluice/testing';
import { listen, type Handler, type TestListener } from '../harness.ts';

const { endHeaders, endStream, fields, frame, FrameClient, request, types, usual: defaults } = frames;

const post = frame(types.headers, endHeaders, 1, fields([':method', 'POST'], ...defaults.slice(1)));
const webSocket = frame(
  types.headers,
  endHeaders,
  1,
  fields([':method', 'CONNECT'], [':protocol', 'websocket'], ...defaults.slice(1)),
);
const number = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);

/** Returns a handler that accepts a WebSocket and keeps the stream open. */
const tunnel =
  (use: (socket: Duplex) => void): Handler =>
  ({ connection, response }: Exchange) => {
    response.writeHead(101);
    const { socket } = connection.upgrade() as { socket: Duplex };
    use(socket);
    return new Promise((resolve) => {
      socket.once('close', resolve);
    });
  };

describe('HTTP/2 streams with slow clients', () => {
  let listener: TestListener;
  let client: InstanceType<typeof FrameClient>;
  const open = async (handler: Handler, limits: Partial<ServerLimits> = {}): Promise<void> => {
    listener = await listen(handler, limits);
    client = new FrameClient(listener.port).open();
  };
  const size = (): number =>
    client.frames.reduce((sum, { type, payload }) => sum + (type === types.data ? payload.length : 0), 0);
  const has = (kind: number): boolean => client.frames.some(({ type }) => type === kind);
  const isEnd = ({ type, flags }: { type: number; flags: number }): boolean =>
    type === types.data && (flags & endStream) > 0;
  afterEach(async () => {
    client.close();
    await listener.close();
  });

  it('a WebSocket over HTTP/2 may be idle for longer than the response timeout', async function () {
    this.timeout(10_000);
    await open(
      tunnel((socket) => socket.write(Buffer.alloc(100_000))),
      { writePace: paceRule(100) },
    );
    client.send(webSocket);
    await sleep(800);
    expect([size(), has(types.reset)]).to.deep.equal([65_535, false]);
    client.send(frame(types.windowUpdate, 0, 0, number(100_000)), frame(types.windowUpdate, 0, 1, number(100_000)));
    expect(await client.until(() => size() === 100_000)).to.not.equal(null);
  });

  it('a WebSocket over HTTP/2 accepts empty chunks', async () => {
    await open(
      tunnel((socket) => {
        socket.write('a');
        socket.write('');
        socket.end('b');
      }),
    );
    client.send(webSocket);
    expect(await client.until(isEnd)).to.not.equal(null);
    expect(size()).to.equal(2);
  });

  it('an HTTP/2 stream is closed if the client stops reading a response that the handler has completed', async function () {
    this.timeout(10_000);
    await open(
      async ({ response }) => {
        if (!response.write(Buffer.alloc(100_000))) await response.drained();
        response.end(Buffer.alloc(100_000));
      },
      { writePace: paceRule(300) },
    );
    client.send(request(1));
    await client.until(() => size() === 65_535);
    client.send(frame(types.windowUpdate, 0, 0, number(50_000)), frame(types.windowUpdate, 0, 1, number(50_000)));
    await client.until(() => size() === 115_535);
    expect(await client.until(({ type }) => type === types.reset, 5000)).to.not.equal(null);
  });

  it('many small body chunks of an HTTP/2 stream are merged into a few large chunks', async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const pieces: Buffer[] = [];
    await open(async ({ body, response }) => {
      await all;
      await new Promise<void>((done) => {
        body.consume({
          onData: (piece) => pieces.push(Buffer.from(piece)) > 0,
          onEnd: () => done(),
          onError: () => done(),
        });
      });
      response.end();
    });
    const sent = Buffer.from(Array.from({ length: 40_000 }, (_, i) => i % 251));
    client.send(post);
    for (let at = 0, length = 1; at < sent.length; at += length, length = (length * 7) % 29)
      client.send(frame(types.data, 0, 1, sent.subarray(at, at + length)));
    client.send(frame(types.data, endStream, 1));
    await sleep(300);
    resolve();
    await client.until(({ type }) => type === types.headers);
    expect(Buffer.concat(pieces).equals(sent)).to.equal(true);
    expect(pieces.length).to.be.below(10);
  });

  for (const status of [304, 204])
    it(`an HTTP/2 stream ends after a ${status} response that declares a Content-Length`, async () => {
      await open(({ response }) => {
        response.headers.set('content-length', '5');
        response.writeHead(status);
        response.flush();
        response.end();
      });
      const session = http2.connect(`http://127.0.0.1:${listener.port}`);
      const stream = session.request({ ':path': '/' }).resume();
      const outcome = await Promise.race([
        once(stream, 'end').then(() => 'ended'),
        once(stream, 'error').then(([error]) => String(error)),
      ]);
      expect([outcome, stream.rstCode]).to.deep.equal(['ended', 0]);
      session.destroy();
    });
});
