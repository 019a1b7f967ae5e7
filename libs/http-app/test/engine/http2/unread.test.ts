import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { listen } from '../harness.ts';

const mebibyte = 1024 * 1024;

/** Resolves when a socket has written at least `least` bytes and has been idle for some time. */
async function settled(socket: net.Socket, least: number): Promise<number> {
  while (socket.bytesWritten < least) await sleep(10);
  for (let before = -1; before !== socket.bytesWritten; await sleep(500)) before = socket.bytesWritten;
  return socket.bytesWritten;
}

describe('HTTP/2 request bodies that no handler reads', () => {
  // Attack in docs/security.md: Unread request bodies on 250 streams.
  it('unread HTTP/2 request bodies of a connection use at most a few megabytes, and are still complete when they are read', async function () {
    this.timeout(20_000);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const listener = await listen(async ({ method, body, response }) => {
      if (method !== 'POST') {
        response.end('ok');
        return;
      }
      await released;
      await new Promise<void>((resolve) => {
        let size = 0;
        body.consume({
          onData: (chunk) => {
            size += chunk.length;
            return true;
          },
          onEnd: () => {
            response.end(String(size));
            resolve();
          },
          onError: () => resolve(),
        });
      });
    });
    const socket = net.connect(listener.port, '127.0.0.1');
    const session = http2.connect(`http://127.0.0.1:${listener.port}`, {
      createConnection: () => socket,
      maxSessionMemory: 1000,
    });
    await once(session, 'remoteSettings');
    const bodies = Array.from({ length: 40 }, () => {
      const stream = session.request({ ':path': '/', ':method': 'POST' });
      stream.end(Buffer.alloc(mebibyte));
      return stream;
    });
    expect(await settled(socket, 1.5 * mebibyte)).to.be.below(3 * mebibyte);
    expect(await text(session.request({ ':path': '/' }))).to.equal('ok');
    release();
    expect(await Promise.all(bodies.map((stream) => text(stream)))).to.deep.equal(bodies.map(() => String(mebibyte)));
    session.destroy();
    await listener.close();
  });

  it('unread HTTP/2 request bodies are no longer counted after their requests end', async function () {
    this.timeout(20_000);
    let finish: (() => void)[] = [];
    const listener = await listen(async ({ response }) => {
      await new Promise<void>((resolve) => finish.push(resolve));
      response.end('ok');
    });
    const socket = net.connect(listener.port, '127.0.0.1');
    const session = http2.connect(`http://127.0.0.1:${listener.port}`, {
      createConnection: () => socket,
      maxSessionMemory: 1000,
    });
    await once(session, 'remoteSettings');
    for (const round of [1, 2, 3]) {
      const streams = Array.from({ length: 12 }, () => {
        const stream = session.request({ ':path': '/', ':method': 'POST' }).resume();
        stream.end(Buffer.alloc(mebibyte));
        return stream;
      });
      // In each round, the client must be able to send the same amount of data. If a flow-control window stayed closed, the test would time
      // out.
      await settled(socket, 1.5 * round * mebibyte);
      for (const end of finish) end();
      finish = [];
      await Promise.all(streams.map((stream) => once(stream, 'close')));
    }
    session.destroy();
    await listener.close();
  });
});
