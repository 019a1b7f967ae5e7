/** An in-memory HTTP/2 connection. The test plays the client and inspects the frames that the server writes. */
import type { HeaderMap } from '@sluice/http1';
import { reportFault } from '@sluice/base';
import {
  ServerConnection,
  writeResult,
  type FieldLimits,
  type Http2Stream,
  type RequestFields,
  type ServerHandler,
  type StreamOwner,
  type ConnectionTransport,
} from '@sluice/http2';
import { HpackDecoder } from '../src/hpack/decoder.ts';

export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A written frame. */
export interface Written {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function literals(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

export const usual: readonly (readonly [string, string])[] = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'a'],
];

/** Returns the HEADERS frame of a request. `ends` means that the request has no body. */
export function request(stream: number, ends: boolean, more: readonly (readonly [string, string])[] = []): Buffer {
  return frame(1, ends ? 5 : 4, stream, literals([...usual, ...more]));
}

export const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Flags that are defined for each frame type. */
const allowedFlags: ReadonlyMap<number, number> = new Map([
  [0, 0x09],
  [1, 0x2d],
  [4, 0x01],
  [6, 0x01],
  [9, 0x04],
]);

export class Recorder implements StreamOwner {
  readonly stream: Http2Stream;
  readonly fields: RequestFields;
  readonly body: Buffer[] = [];
  ended = false;
  trailers: HeaderMap | null = null;
  sent = 0;
  closed: number | null = null;
  /** If true, received bytes are credited to the flow-control window as they arrive. */
  reads = true;

  constructor(stream: Http2Stream, fields: RequestFields) {
    this.stream = stream;
    this.fields = fields;
  }

  fault(error: unknown): void {
    reportFault({ part: 'exchange', error });
    this.stream.reset(2);
  }

  onData(bytes: Buffer): void {
    this.body.push(Buffer.from(bytes));
    if (this.reads) this.stream.credit(bytes.length);
  }

  onEnd(trailers: HeaderMap | null): void {
    this.ended = true;
    this.trailers = trailers;
  }

  onSent(): void {
    this.sent++;
  }

  onClose(code: number): void {
    this.closed = code;
  }
}

export class Peer implements ServerHandler, ConnectionTransport {
  fieldLimits: FieldLimits = { bytes: 16 * 1024, count: 100, kept: new Set() };
  readonly requests: Recorder[] = [];
  readonly abuses: string[] = [];
  /** Size of each write by the server, in bytes. */
  readonly writes: number[] = [];
  readonly frames: Written[] = [];
  ended = false;
  destroyed = false;
  faults = 0;
  endings = 0;
  /** Result that subsequent writes return. */
  result: number = writeResult.done;
  readonly connection: ServerConnection;
  readonly #respond: (recorder: Recorder) => void;
  readonly #decoder = new HpackDecoder();
  #rest: Buffer = Buffer.alloc(0);

  constructor(
    respond: (recorder: Recorder) => void = () => undefined,
    windows: { stream?: number; all?: number } = {},
  ) {
    this.#respond = respond;
    this.connection = new ServerConnection(this, this, {
      maxStreams: 10,
      streamWindow: windows.stream ?? 100_000,
      connectionWindow: windows.all ?? 200_000,
    });
  }

  /** Sends the connection preface, a SETTINGS frame and further frames. */
  open(...frames: readonly Buffer[]): this {
    return this.send(Buffer.from(preface, 'latin1'), frame(4, 0, 0), ...frames);
  }

  send(...parts: readonly Buffer[]): this {
    const bytes = Buffer.concat(parts);
    this.connection.read(bytes, bytes.length);
    return this;
  }

  /** Returns the response fields of a stream, one string per field block. */
  blocks(stream: number): string[] {
    return this.frames
      .filter(({ type }) => type === 1)
      .map((block) => ({ stream: block.stream, text: this.#texts.get(block) ?? '' }))
      .filter((block) => block.stream === stream)
      .map(({ text }) => text);
  }

  readonly #texts = new Map<Written, string>();

  of(type: number): Written[] {
    return this.frames.filter((each) => each.type === type);
  }

  write(bytes: Buffer, end: number): number {
    this.writes.push(end);
    this.#rest = Buffer.concat([this.#rest, bytes.subarray(0, end)]);
    while (this.#rest.length >= 9) {
      const next = 9 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < next) break;
      const written = {
        type: this.#rest.readUInt8(3),
        flags: this.#rest.readUInt8(4),
        stream: this.#rest.readUInt32BE(5),
        payload: Buffer.from(this.#rest.subarray(9, next)),
      };
      // Flags that are not defined must be unset (RFC 9113 §4.1).
      if ((written.flags & ~(allowedFlags.get(written.type) ?? 0)) !== 0)
        throw new Error(`flags ${written.flags} of a frame of type ${written.type}`);
      this.frames.push(written);
      if (written.type === 1 && (written.flags & 4) !== 0) this.#decode(written);
      this.#rest = this.#rest.subarray(next);
    }
    return this.result;
  }

  #decode(written: Written): void {
    const fields: string[] = [];
    const sink = { field: (name: string, value: string) => void fields.push(`${name}=${value}`) };
    if (!this.#decoder.decode(written.payload, 0, written.payload.length, sink)) fields.push('not HPACK');
    this.#texts.set(written, fields.join(' '));
  }

  end(): void {
    this.ended = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  fault(): void {
    this.faults++;
    this.connection.lost();
  }

  onRequest(stream: Http2Stream, fields: RequestFields): void {
    const recorder = new Recorder(stream, fields);
    stream.owner = recorder;
    this.requests.push(recorder);
    this.#respond(recorder);
  }

  onStreamClosed(): void {}

  onEnding(): void {
    this.endings++;
  }

  onAbuse(reason: string): void {
    this.abuses.push(reason);
  }
}
