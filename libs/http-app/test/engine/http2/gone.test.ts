import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import type { Exchange } from '@sluice/http-app';
import { frames } from '@sluice/testing';
import { listen, type Handler, type TestListener } from '../harness.ts';

const { endHeaders, endStream, fields, frame, FrameClient, preface, request, types, usual: defaults } = frames;

const post = frame(types.headers, endHeaders, 1, fields([':method', 'POST'], ...defaults.slice(1)));
const webSocket = frame(
  types.headers,
  endHeaders,
  1,
  fields([':method', 'CONNECT'], [':protocol', 'websocket'], ...defaults.slice(1)),
);

async function until(true_: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!true_() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  return true_();
}

/** Handlers that wait for their client in different ways. */
const handlers: Readonly<Record<string, readonly [sent: Buffer, handler: Handler]>> = {
  'a flow-control window': [
    request(1),
    async ({ response }) => {
      for (;;) if (!response.write(Buffer.alloc(65_536))) await response.drained();
    },
  ],
  'the request body': [post, async ({ body }) => void (await body.bytes(1e9))],
  'the end of the stream': [
    request(1),
    ({ response, signal }) => {
      response.flush();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')));
      });
    },
  ],
  'WebSocket data': [
    webSocket,
    ({ connection, response }: Exchange) => {
      response.writeHead(101);
      const { socket } = connection.upgrade() as { socket: Duplex };
      socket.resume();
      return new Promise((resolve) => {
        socket.once('close', resolve);
      });
    },
  ],
};

describe('HTTP/2 clients that disconnect', () => {
  let listener: TestListener;
  let handler: Handler;
  let running = 0;
  beforeEach(async () => {
    running = 0;
    listener = await listen(async (exchange) => {
      running++;
      try {
        await handler(exchange);
      } finally {
        running--;
      }
    });
  });
  afterEach(() => listener.close());

  for (const [what, [sent, waits]] of Object.entries(handlers)) {
    for (const how of ['end', 'close', 'reset'] as const) {
      it(`an HTTP/2 stream is released if its client disconnects (${how}) while a handler waits for ${what}`, async () => {
        handler = waits;
        const client = new FrameClient(listener.port).open().send(sent);
        expect(await until(() => running === 1, 1000)).to.equal(true);
        await new Promise((resolve) => setTimeout(resolve, 30));
        client[how]();
        await until(() => running === 0 && listener.listener.connections === 0, 1000);
        expect({ running, connections: listener.listener.connections }).to.deep.equal({ running: 0, connections: 0 });
        client.close();
      });
    }
  }

  const none = Buffer.alloc(4);
  const cutBodies: Readonly<Record<string, (client: frames.FrameClient) => void>> = {
    'a TCP FIN': (client) => client.end(),
    'a connection close': (client) => client.close(),
    'a TCP reset': (client) => client.reset(),
    'a GOAWAY and a connection close': (client) => client.send(frame(types.goAway, 0, 0, Buffer.alloc(8))).close(),
    'RST_STREAM with NO_ERROR': (client) => client.send(frame(types.reset, 0, 1, none)),
    'RST_STREAM with CANCEL': (client) => client.send(frame(types.reset, 0, 1, Buffer.from([0, 0, 0, 8]))),
  };
  for (const [how, cut] of Object.entries(cutBodies)) {
    it(`an HTTP/2 request body fails if it is truncated by ${how}`, async () => {
      let outcome = '';
      handler = async ({ body }) => {
        try {
          outcome = `whole: ${(await body.bytes(1e9)).toString()}`;
        } catch {
          outcome = 'cut';
        }
      };
      const client = new FrameClient(listener.port).open().send(post, frame(types.data, 0, 1, Buffer.from('part')));
      expect(await until(() => running === 1, 1000)).to.equal(true);
      cut(client);
      await until(() => outcome !== '', 1000);
      expect(outcome).to.equal('cut');
      client.close();
    });
  }

  // Attack in docs/security.md: Truncated responses to clients that treat CANCEL as normal completion.
  it('an aborted HTTP/2 response ends with INTERNAL_ERROR, because some clients treat CANCEL as a normal end', async () => {
    handler = ({ response }) => {
      response.write(Buffer.from('part'));
      throw new Error('cut');
    };
    const client = new FrameClient(listener.port).open().send(request(1));
    await client.until(({ type }) => type === types.reset);
    expect(client.frames.find(({ type }) => type === types.reset)?.payload.readUInt32BE(0)).to.equal(2);
    client.close();
  });

  // Attack in docs/security.md: SIGTERM or a `/stop` request while clients keep streams open.
  it('an HTTP/2 server disconnects a client that neither reads nor closes the connection after the last frame', async function () {
    this.timeout(10_000);
    handler = ({ response }) => response.end('hello');
    const socket = silentClient(listener.port, [preface, frame(types.settings, 0, 0), request(1)]);
    await until(() => listener.server.count === 1, 1000);
    listener.listener.retire();
    // The server waits one second before the second GOAWAY, and two seconds for the client to close.
    expect(await until(() => listener.listener.connections === 0, 6000)).to.equal(true);
    socket.destroy();
  });

  it('closing an HTTP/2 connection does not discard data already sent', async () => {
    handler = ({ response }) => response.end(Buffer.alloc(50_000));
    const client = new FrameClient(listener.port).open().send(request(1));
    client.end();
    await client.until(({ type, flags }) => type === types.data && (flags & endStream) > 0);
    const size = client.frames.reduce((sum, { type, payload }) => sum + (type === types.data ? payload.length : 0), 0);
    expect(size).to.equal(50_000);
    client.close();
  });
});

/** Connects a client that sends a request but neither reads nor closes the connection. */
function silentClient(port: number, sent: readonly (Buffer | string)[]): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.pause();
  for (const bytes of sent) socket.write(bytes);
  return socket;
}
