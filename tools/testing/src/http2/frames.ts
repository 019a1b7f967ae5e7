/** An HTTP/2 client that sends arbitrary frames, valid or not (RFC 9113 §4). */
import { connect, type Socket } from 'node:net';

export const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const endStream = 0x1;
export const ack = 0x1;
export const endHeaders = 0x4;
export const padded = 0x8;

/** The client connection preface (RFC 9113 §3.4). */
export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes header fields as literals without indexing (RFC 7541 §6.2.2). */
export function fields(...pairs: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
  return Buffer.concat(pairs.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** Header fields that every request contains. */
export const usual: readonly (readonly [string, string])[] = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'a'],
];

/** Encodes a request without a body. */
export const request = (stream: number, ...more: readonly (readonly [string, string])[]): Buffer =>
  frame(types.headers, endHeaders | endStream, stream, fields(...usual, ...more));

export interface Received {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection. */
export class FrameClient {
  readonly frames: Received[] = [];
  closed = false;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  /** Connects to a port without TLS, or uses an open socket. */
  constructor(to: number | Socket) {
    this.#socket = typeof to === 'number' ? connect({ port: to, host: '127.0.0.1', noDelay: true }) : to;
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.closed = true));
  }

  send(...parts: readonly (Buffer | string)[]): this {
    if (!this.closed) this.#socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))));
    return this;
  }

  /** Sends the connection preface and an empty SETTINGS frame. */
  open(): this {
    return this.send(preface, frame(types.settings, 0, 0));
  }

  /** Waits for a matching frame. Returns `null` when the connection ends or the timeout expires. */
  async until(wanted: (received: Received) => boolean, ms = 1000): Promise<Received | null> {
    const end = performance.now() + ms;
    for (;;) {
      const found = this.frames.find(wanted);
      if (found !== undefined || this.closed || performance.now() > end) return found ?? null;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** Returns the reaction of the server: `goaway CODE`, `reset CODE`, `status N`, `closed` or `nothing`. */
  async verdict(stream = 1, ms = 10_000): Promise<string> {
    const isVerdict = ({ type, stream: of, payload }: Received): boolean =>
      (type === types.goAway && payload.readUInt32BE(4) !== 0) ||
      (of === stream && (type === types.reset || type === types.headers));
    const found = await this.until(isVerdict, ms);
    if (found === null) return this.closed ? 'closed' : 'nothing';
    if (found.type === types.goAway) return `goaway ${found.payload.readUInt32BE(4)}`;
    if (found.type === types.reset) return `reset ${found.payload.readUInt32BE(0)}`;
    return `status ${statusOf(found.payload)}`;
  }

  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes the sending side of the connection and continues reading. */
  end(): void {
    this.#socket.end();
  }

  /** Closes the connection with unread data, as the kernel does for a killed process. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const end = 9 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      this.frames.push({
        type: this.#rest.readUInt8(3),
        flags: this.#rest.readUInt8(4),
        stream: this.#rest.readUInt32BE(5) & 0x7fffffff,
        payload: this.#rest.subarray(9, end),
      });
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** Decodes the status if the HPACK static table contains it (RFC 7541 appendix A). */
function statusOf(block: Buffer): string {
  const known: Readonly<Record<number, string>> = { 0x88: '200', 0x89: '204', 0x8c: '400', 0x8d: '404', 0x8e: '500' };
  return known[block[0] ?? 0] ?? 'other';
}
