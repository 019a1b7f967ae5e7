/**
 * HTTP/2 connection over TLS for load generation. It repeats one request and parses only frame headers, because library clients use more
 * CPU time than the servers. Its flow control windows have the maximum size.
 */
import { connect, type TLSSocket } from 'node:tls';
import type { Target } from './http1-lane.ts';
import type { Lane } from './schedule.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frameHead = 9;
const [dataFrame, headersFrame, resetFrame, settingsFrame, pingFrame, goAwayFrame, windowFrame] = [0, 1, 3, 4, 6, 7, 8];
const endStream = 1;
const endHeaders = 4;
const acknowledge = 1;
const largestWindow = 2 ** 31 - 1;
/** Number of received bytes before the client extends the connection's flow control window. */
const creditStep = 2 ** 24;

/** Opens a connection with `count` lanes. Each lane has one request in flight. */
export async function openHttp2Lanes(target: Target, count: number): Promise<Lane[]> {
  const connection = new Http2Connection(target);
  await connection.open();
  return Array.from({ length: count }, () => ({ send: (done) => connection.send(done) }));
}

class Http2Connection {
  readonly #target: Target;
  readonly #block: Buffer;
  readonly #waiting = new Map<number, (responded: boolean) => void>();
  #socket: TLSSocket | null = null;
  #nextStream = 1;
  #rest: Buffer = Buffer.alloc(0);
  #received = 0;

  constructor(target: Target) {
    this.#target = target;
    this.#block = Buffer.concat([
      // `:method GET` and `:scheme https` are indexed fields. The others are literals without indexing.
      Buffer.from([0x82, 0x87]),
      literal(1, `${target.serverName}:${target.port}`),
      literal(4, target.path),
      ...target.headers.map((header) => namedLiteral(header)),
    ]);
  }

  open(): Promise<void> {
    const { port, serverName } = this.#target;
    return new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', servername: serverName ?? '', rejectUnauthorized: false };
      const socket = connect({ ...options, ALPNProtocols: ['h2'] }, () => {
        // HEADER_TABLE_SIZE is 0, because the client decodes nothing. The stream window has the maximum size.
        const settings = Buffer.from([0, 1, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff]);
        socket.write(Buffer.concat([preface, frame(settingsFrame, 0, 0, settings), credit(largestWindow - 65_535)]));
        resolve();
      });
      this.#socket = socket;
      socket.on('data', (chunk: Buffer) => this.#read(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        this.#socket = null;
        for (const id of this.#waiting.keys()) this.#finish(id, false);
      });
    });
  }

  send(done: (responded: boolean) => void): void {
    const id = this.#nextStream;
    this.#nextStream += 2;
    if (this.#socket === null) {
      queueMicrotask(() => done(false));
      return;
    }
    this.#waiting.set(id, done);
    this.#socket.write(frame(headersFrame, endStream | endHeaders, id, this.#block));
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length >= at + frameHead) {
      const length = bytes.readUIntBE(at, 3);
      if (bytes.length < at + frameHead + length) break;
      this.#readFrame(bytes.subarray(at, at + frameHead + length));
      at += frameHead + length;
    }
    this.#rest = bytes.subarray(at);
  }

  #readFrame(bytes: Buffer): void {
    const [type, flags = 0] = [bytes[3], bytes[4]];
    const id = bytes.readUInt32BE(5);
    if (type === dataFrame) this.#count(bytes.length - frameHead);
    if ((type === dataFrame || type === headersFrame) && (flags & endStream) !== 0) this.#finish(id, true);
    else if (type === resetFrame) this.#finish(id, false);
    else if (type === settingsFrame && (flags & acknowledge) === 0)
      this.#socket?.write(frame(settingsFrame, acknowledge, 0, Buffer.alloc(0)));
    else if (type === pingFrame && (flags & acknowledge) === 0)
      this.#socket?.write(frame(pingFrame, acknowledge, 0, bytes.subarray(frameHead)));
    else if (type === goAwayFrame) this.#socket?.end();
  }

  #count(received: number): void {
    this.#received += received;
    if (this.#received < creditStep) return;
    this.#socket?.write(credit(this.#received));
    this.#received = 0;
  }

  #finish(id: number, responded: boolean): void {
    const done = this.#waiting.get(id);
    this.#waiting.delete(id);
    done?.(responded);
  }
}

function frame(type: number, flags: number, id: number, content: Buffer): Buffer {
  const bytes = Buffer.alloc(frameHead + content.length);
  bytes.writeUIntBE(content.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(id, 5);
  content.copy(bytes, frameHead);
  return bytes;
}

function credit(size: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeUInt32BE(size);
  return frame(windowFrame, 0, 0, content);
}

/** Encodes a literal field without indexing. The field's name must be in the static table, and its value must have fewer than 127 bytes. */
function literal(nameIndex: number, value: string): Buffer {
  return Buffer.concat([Buffer.from([nameIndex, value.length]), Buffer.from(value)]);
}

function namedLiteral(header: string): Buffer {
  const [name = '', value = ''] = header.split(': ');
  return Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name.toLowerCase()), literal(0, value).subarray(1)]);
}
