/** Upstreams that keep each response open until the test ends it. One uses HTTP/1.1, and the other HTTP/2 without TLS. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { closeFrame, hasClose, textFrame } from './frames.ts';

const event = 'data: 1\n\n';
/** An uncompressed gRPC message of two bytes. */
const message = Buffer.from([0, 0, 0, 0, 2, 8, 1]);
const downloadSize = 50_000;

/** An in-flight request. */
interface OpenRequest {
  /** Completes the response as defined by its protocol. */
  finish(): void;
  /** Resets the connection. */
  die(): void;
}

/** Both upstreams. */
export class Upstreams {
  readonly open = new Set<OpenRequest>();
  /** Delay before a WebSocket is accepted, in milliseconds. */
  upgradeDelay = 0;
  readonly #servers: readonly [Server, Http2Server];
  readonly #sockets = new Set<Socket>();

  private constructor() {
    const http1 = createServer((socket) => {
      this.#keep(socket);
      new Http1Conversation(socket, this).start();
    });
    const http2 = createHttp2Server();
    http2.on('connection', (socket: Socket) => this.#keep(socket));
    http2.on('stream', (stream: ServerHttp2Stream, headers) =>
      respondHttp2(stream, String(headers[':path']), this.open),
    );
    this.#servers = [http1, http2];
  }

  static async start(): Promise<Upstreams> {
    const upstreams = new Upstreams();
    for (const server of upstreams.#servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return upstreams;
  }

  /** Addresses of the HTTP/1.1 upstream and the HTTP/2 upstream, in the form `127.0.0.1:PORT`. */
  get addresses(): readonly string[] {
    return this.#servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Completes all responses. */
  finish(): void {
    for (const each of [...this.open]) each.finish();
  }

  /** Resets the connections of all open responses. */
  die(): void {
    for (const each of [...this.open]) each.die();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }
}

/** A connection that receives HTTP/1.1 requests one after another. */
class Http1Conversation {
  readonly #socket: Socket;
  readonly #upstreams: Upstreams;
  #received = '';
  #current: OpenRequest | null = null;
  #isWebSocket = false;
  #isClosing = false;

  constructor(socket: Socket, upstreams: Upstreams) {
    this.#socket = socket;
    this.#upstreams = upstreams;
  }

  start(): void {
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#socket.once('close', () => this.#over());
  }

  #read(bytes: Buffer): void {
    if (this.#isWebSocket && hasClose(bytes)) {
      // Replies to the client's Close frame. If the server sent its Close frame first, the client's frame is the reply, and nothing is
      // sent.
      if (!this.#isClosing) this.#socket.write(closeFrame(false));
      this.#socket.end();
    }
    if (this.#current !== null) return;
    this.#received += bytes.toString('latin1');
    if (!this.#received.includes('\r\n\r\n')) return;
    const head = this.#received;
    this.#received = '';
    this.#respond(/^\S+ (\S+)/.exec(head)?.[1] ?? '', head);
  }

  #respond(path: string, head: string): void {
    const socket = this.#socket;
    if (path === '/websocket') {
      const key = /^sec-websocket-key: *(\S+)/im.exec(head)?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
      this.#isWebSocket = true;
      this.#begin(() => {
        this.#isClosing = true;
        socket.write(closeFrame(false));
      });
      setTimeout(() => {
        socket.write(`${upgrade}Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
        socket.write(textFrame);
      }, this.#upstreams.upgradeDelay);
    } else if (path === '/events') {
      const length = event.length.toString(16);
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(`${length}\r\n${event}\r\n`);
      this.#begin(() => this.#complete('0\r\n\r\n'));
    } else if (path === '/download') {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${downloadSize}\r\n\r\n`);
      socket.write('1'.repeat(downloadSize / 2));
      this.#begin(() => this.#complete('2'.repeat(downloadSize / 2)));
    } else this.#begin(() => this.#complete('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone'));
  }

  #begin(finish: () => void): void {
    this.#current = { finish, die: () => void this.#socket.resetAndDestroy() };
    this.#upstreams.open.add(this.#current);
  }

  #complete(rest: string): void {
    this.#socket.write(rest);
    this.#over();
  }

  #over(): void {
    if (this.#current !== null) this.#upstreams.open.delete(this.#current);
    this.#current = null;
  }
}

/** Responds to a gRPC call with one message. Delays the response if the path is `/silent`. */
function respondHttp2(stream: ServerHttp2Stream, path: string, open: Set<OpenRequest>): void {
  const trailers = (): void => {
    if (!stream.destroyed) stream.sendTrailers({ 'grpc-status': '0' });
  };
  const begin = (): void => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.write(message);
  };
  const request: OpenRequest = {
    finish: () => {
      if (path === '/silent') begin();
      stream.end();
    },
    die: () => stream.session?.destroy(),
  };
  open.add(request);
  stream.on('error', () => undefined).on('wantTrailers', trailers);
  stream.once('close', () => open.delete(request));
  stream.resume();
  stream.once('end', () => {
    if (path !== '/silent' && stream.writable) request.finish();
  });
  if (path !== '/silent') begin();
}
