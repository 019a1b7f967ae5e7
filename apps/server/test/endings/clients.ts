/** Clients that end a request in a specific way. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import {
  acknowledges,
  cancelCode,
  closeFrame,
  endStream,
  frame,
  framesOf,
  frameTypes,
  hasClose,
  headersFrame,
  opening,
  resetFrame,
  type Frame,
} from './frames.ts';

/** Kind of request. */
export type Kind = 'websocket' | 'events' | 'grpc' | 'download' | 'file' | 'silent' | 'upload';
export type Protocol = 'http1' | 'http2';

const paths: Readonly<Record<Kind, string>> = {
  websocket: '/websocket',
  events: '/events',
  grpc: '/grpc.Service/Stream',
  download: '/download',
  file: '/file',
  silent: '/silent',
  upload: '/upload',
};

/** A client that sends one request. */
export abstract class Client {
  begun = false;
  readonly socket: Socket;
  protected readonly kind: Kind;
  protected hasClosed = false;
  #closed = false;

  constructor(port: number, kind: Kind) {
    this.kind = kind;
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.socket.on('error', () => undefined).once('close', () => (this.#closed = true));
    this.socket.on('data', (bytes: Buffer) => this.read(bytes));
  }

  /** True if the connection has been closed. */
  get closed(): boolean {
    return this.#closed;
  }

  protected abstract read(bytes: Buffer): void;
  /** Ends the request as defined by its protocol: with a Close frame or END_STREAM. The client waits until the response ends. */
  abstract close(): void;
  /** Cancels the request without waiting for a response. */
  abstract cancel(): void;

  /** Sends FIN and continues to read. */
  fin(): void {
    this.socket.end();
  }

  /** Sends RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Called when no more data is expected on the connection. */
  protected over(): void {
    this.socket.end();
    this.socket.destroySoon();
  }
}

/** An HTTP/1.1 client. */
export class Http1Client extends Client {
  #text = '';

  constructor(port: number, kind: Kind) {
    super(port, kind);
    const key = randomBytes(16).toString('base64');
    const fields =
      kind === 'websocket'
        ? `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n`
        : kind === 'upload'
          ? 'Content-Length: 1000\r\n'
          : '';
    const method = kind === 'upload' ? 'POST' : 'GET';
    this.socket.write(`${method} ${paths[kind]} HTTP/1.1\r\nHost: a.test\r\n${fields}\r\n`);
    if (kind === 'upload') this.socket.write('part');
    this.socket.once('end', () => this.over());
  }

  protected read(bytes: Buffer): void {
    if (this.kind === 'websocket' && this.begun && hasClose(bytes)) {
      if (!this.hasClosed) this.socket.write(closeFrame(true));
      this.hasClosed = true;
      // After the closing handshake, the server closes the connection first (RFC 6455 §7.1.1).
      return;
    }
    this.#text += bytes.toString('latin1');
    const body = this.#text.indexOf('\r\n\r\n') + 4;
    if (body < 4) return;
    if (this.#text.length > body) this.begun = true;
    // Pauses reading, so that the client does not receive the whole file. An HTTP/2 client achieves this by granting only the initial
    // window.
    if (this.kind === 'file' && this.begun) this.socket.pause();
    const length = Number(/content-length: *(\d+)/i.exec(this.#text)?.[1] ?? -1);
    const isComplete = length < 0 ? this.#text.endsWith('\r\n0\r\n\r\n') : this.#text.length >= body + length;
    if (isComplete) this.over();
  }

  close(): void {
    if (this.kind !== 'websocket') return this.cancel();
    this.hasClosed = true;
    this.socket.write(closeFrame(true));
  }

  cancel(): void {
    if (this.kind === 'websocket') this.socket.write(closeFrame(true));
    this.socket.end();
    this.socket.destroySoon();
  }
}

/** An HTTP/2 client without TLS that uses a single stream. */
export class Http2Client extends Client {
  #rest: Buffer = Buffer.alloc(0);
  #requested = false;

  constructor(port: number, kind: Kind) {
    super(port, kind);
    this.socket.write(opening());
    this.socket.once('end', () => this.over());
  }

  #request(): void {
    this.#requested = true;
    const isTunnel = this.kind === 'websocket';
    const sends = isTunnel || this.kind === 'grpc' || this.kind === 'upload';
    const fields: (readonly [string, string])[] = [
      [':method', isTunnel ? 'CONNECT' : sends ? 'POST' : 'GET'],
      [':scheme', 'http'],
      [':authority', 'a.test'],
      [':path', paths[this.kind]],
    ];
    if (isTunnel) fields.push([':protocol', 'websocket'], ['sec-websocket-version', '13']);
    if (this.kind === 'grpc') fields.push(['content-type', 'application/grpc'], ['te', 'trailers']);
    if (this.kind === 'upload') fields.push(['content-length', '1000']);
    this.socket.write(headersFrame(1, fields, !sends));
    if (this.kind === 'grpc') this.#send(Buffer.from([0, 0, 0, 0, 0]));
    if (this.kind === 'upload') this.#send(Buffer.from('part'));
  }

  #send(payload: Buffer, flags = 0): void {
    this.socket.write(frame(frameTypes.data, flags, 1, payload));
  }

  protected read(bytes: Buffer): void {
    const { frames, rest } = framesOf(Buffer.concat([this.#rest, bytes]));
    this.#rest = rest;
    for (const each of frames) this.#take(each);
  }

  #take({ type, flags, stream, payload }: Frame): void {
    if (type === frameTypes.settings && (flags & acknowledges) === 0) {
      this.socket.write(frame(frameTypes.settings, acknowledges, 0));
      if (!this.#requested) this.#request();
    } else if (type === frameTypes.ping && (flags & acknowledges) === 0)
      this.socket.write(frame(frameTypes.ping, acknowledges, 0, payload));
    if (stream !== 1) return;
    if (type === frameTypes.data && payload.length > 0) this.begun = true;
    if (type === frameTypes.data && this.kind === 'websocket' && hasClose(payload) && !this.hasClosed) {
      this.hasClosed = true;
      this.#send(closeFrame(true), endStream);
    }
    const isEnded = (type === frameTypes.data || type === frameTypes.headers) && (flags & endStream) !== 0;
    if (isEnded || type === frameTypes.reset) this.over();
  }

  close(): void {
    if (this.kind === 'websocket') {
      this.hasClosed = true;
      this.#send(closeFrame(true), endStream);
    } else if (this.kind === 'grpc') this.#send(Buffer.alloc(0), endStream);
    else this.cancel();
  }

  cancel(): void {
    this.socket.write(resetFrame(1, cancelCode));
    // The client ends only the stream. The connection stays open until the server has processed the end of the stream.
    setTimeout(() => this.over(), 20);
  }
}
