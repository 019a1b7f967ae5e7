/** A client of HTTP/2 that sends any frames it is told to, right or wrong (RFC 9113 §4). */
import { connect, type Socket } from 'node:net';

/** Types of frames (RFC 9113 §6). */
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

/** Flags of frames. */
export const endStream = 0x1;
export const ack = 0x1;
export const endHeaders = 0x4;
export const padded = 0x8;

/** What a client says first (RFC 9113 §3.4). */
export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A frame. */
export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Fields as literals without indexing (RFC 7541 §6.2.2). */
export function fields(...pairs: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
  return Buffer.concat(pairs.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** The fields that every request has. */
export const usual: readonly (readonly [string, string])[] = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'a'],
];

/** A request without a body. */
export const request = (stream: number, ...more: readonly (readonly [string, string])[]): Buffer =>
  frame(types.headers, endHeaders | endStream, stream, fields(...usual, ...more));

/** A frame that the server has sent. */
export interface Received {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** One connection. */
export class FrameClient {
  readonly frames: Received[] = [];
  closed = false;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  /** A port for plain connections, or a socket of another kind that is on its way. */
  constructor(to: number | Socket) {
    this.#socket = typeof to === 'number' ? connect({ port: to, host: '127.0.0.1', noDelay: true }) : to;
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.closed = true));
  }

  /** Sends bytes as they are. */
  send(...parts: readonly (Buffer | string)[]): this {
    if (!this.closed) this.#socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))));
    return this;
  }

  /** Sends the preface and empty settings. */
  open(): this {
    return this.send(preface, frame(types.settings, 0, 0));
  }

  /** Waits until a frame has come, or the connection has closed, or a time is over. */
  async until(wanted: (received: Received) => boolean, ms = 1000): Promise<Received | null> {
    const end = performance.now() + ms;
    for (;;) {
      const found = this.frames.find(wanted);
      if (found !== undefined || this.closed || performance.now() > end) return found ?? null;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** What the server says to what was sent: `goaway CODE`, `reset CODE`, `status N`, `closed`, or `nothing`. */
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

  /** Reads no more. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Sends no more, and goes on to read. */
  end(): void {
    this.#socket.end();
  }

  /** Goes away with what it has not read, as a process that is killed. */
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

/** The status, as far as the static table of HPACK has it (RFC 7541 appendix A). */
function statusOf(block: Buffer): string {
  const known: Readonly<Record<number, string>> = { 0x88: '200', 0x89: '204', 0x8c: '400', 0x8d: '404', 0x8e: '500' };
  return known[block[0] ?? 0] ?? 'other';
}
