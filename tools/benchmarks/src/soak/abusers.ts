/** Malicious clients for soak tests, each with its own pace. Together, they keep a server busy without flooding it. */
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';

/** Invalid requests. */
const malformed: readonly string[] = [
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n',
  'POST /proxied/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx',
  `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x05\x04\x00\x00\x00\x00\x00abcde',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x01\x01\x05\x00\x00\x00\x01\xff',
  '\0\0\0\0',
];

export class Abusers {
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #timers: NodeJS.Timeout[] = [];
  #turn = 0;
  /** Number of connections opened so far. */
  opened = 0;

  constructor(port: number) {
    this.#port = port;
  }

  start(): void {
    this.#hold(30, 500, 'GET /proxied/ HTTP/1.1\r\nHost: a\r\n', () => 'X: y\r\n');
    this.#hold(10, 100, 'POST /proxied/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', () => '1\r\nx\r\n');
    this.#every(500, () => this.#leaveUnread());
    this.#every(100, () => this.#abort('GET /proxied/events HTTP/1.1\r\nHost: a\r\n\r\n'));
    this.#every(100, () => this.#abort(`POST /proxied/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nxxx`));
    this.#every(200, () => this.#abort(upgrade));
    this.#every(50, () => this.#abort(malformed[this.#turn++ % malformed.length] ?? ''));
    this.#every(500, () => this.#stallHttp2());
    this.#every(500, () => this.#resetHttp2());
    this.#every(2000, () => this.#askForMuch());
  }

  /** Destroys all connections without a closing handshake, like a machine that loses power. */
  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Stops sending, but leaves the connections open. */
  pause(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  #every(ms: number, act: () => void): void {
    this.#timers.push(setInterval(act, ms));
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.opened++;
    this.#sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
  }

  /** Slowly sends requests that never end. */
  #hold(count: number, ms: number, begin: string, more: () => string): void {
    const held: (Socket | null)[] = Array.from({ length: count }, () => null);
    this.#every(ms, () => {
      for (let i = 0; i < count; i++) {
        const socket = held[i];
        if (socket && !socket.destroyed) socket.write(more());
        else {
          const fresh = this.#open().resume();
          fresh.write(begin);
          held[i] = fresh;
        }
      }
    });
  }

  /** Requests a large response and never reads it. */
  #leaveUnread(): void {
    const socket = this.#open().pause();
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    setTimeout(() => socket.destroy(), 10_000).unref();
  }

  /** Sends a request, and disconnects before the response is complete. */
  #abort(text: string): void {
    const socket = this.#open();
    socket.write(text, 'latin1');
    setTimeout(() => (this.#turn % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()), 60).unref();
  }

  /** Opens HTTP/2 streams with closed flow control windows. Then half-closes the connection, like a client that has finished. */
  #stallHttp2(): void {
    const socket = this.#open();
    const session = connectHttp2(`http://127.0.0.1:${this.#port}`, {
      createConnection: () => socket,
      settings: { initialWindowSize: 0 },
    });
    session.on('error', () => socket.destroy());
    for (let i = 0; i < 20; i++) {
      const path = i % 2 === 0 ? '/large' : '/proxied/events';
      session.request({ ':path': path }).on('error', () => undefined);
    }
    setTimeout(() => socket.end(), 300).unref();
    setTimeout(() => session.destroy(), 10_000).unref();
  }

  /** Opens 250 HTTP/2 streams with maximum flow control windows for a large file. Reads nothing for a second, then disconnects. */
  #askForMuch(): void {
    const socket = this.#open().pause();
    socket.write(floodOfStreams);
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  /** Sends HTTP/2 requests and resets their streams immediately (rapid reset). */
  #resetHttp2(): void {
    const socket = this.#open();
    const session = connectHttp2(`http://127.0.0.1:${this.#port}`, { createConnection: () => socket });
    session.on('error', () => socket.destroy());
    for (let i = 0; i < 50; i++) {
      const stream = session.request({ ':path': '/proxied/events' }).on('error', () => undefined);
      setImmediate(() => stream.close(8));
    }
    setTimeout(() => session.destroy(), 500).unref();
  }
}

/** Encodes an HTTP/2 frame (RFC 9113 §4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HTTP/2 frames with maximum flow control windows for streams and connection, and 250 requests for `/large`. */
const floodOfStreams = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  // SETTINGS_INITIAL_WINDOW_SIZE is 2^31 - 1.
  frame(4, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
  ...Array.from({ length: 250 }, (_, i) =>
    // Encoded fields: `:method GET`, `:scheme http`, `:path /large`, `:authority a`.
    frame(1, 5, i * 2 + 1, Buffer.from('\x82\x86\x04\x06/large\x01\x01a', 'latin1')),
  ),
]);

const upgrade =
  'GET /proxied/ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c29ha3NvYWtzb2Frc29haw==\r\n\r\n';
