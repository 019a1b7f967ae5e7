/** An HTTP/3 server and a test client connected by a simulated network. */
import type { HeaderMap } from '@sluice/http1';
import type { RequestFields, StreamOwner } from '@sluice/http2';
import {
  ecn,
  Endpoint,
  nodeCiphers,
  type CloseReason,
  type Connection,
  type ConnectionUser,
  type DatagramRun,
  type PeerAddress,
  type QuicConnection,
  type QuicStream,
  type StreamUser,
} from '@sluice/quic';
import { Http3ServerConnection, type Http3Handler, type Http3Stream } from '@sluice/http3';
import { FakeTls, SimulatedClock } from '@sluice/testing/quic';
import { FrameReader, take } from '../src/frame-reader.ts';
import { frameBytes, frameType, integerBytes, setting, streamType } from '../src/frame.ts';
import { decodeResult, QpackDecoder } from '../src/qpack/decoder.ts';
import { QpackEncoder } from '../src/qpack/encoder.ts';

const addresses: Record<'client' | 'server', PeerAddress> = {
  client: { host: '10.0.0.2', port: 50_000, key: '10.0.0.2:50000' },
  server: { host: '10.0.0.1', port: 443, key: '10.0.0.1:443' },
};

/** A request as received by the server. */
export interface SeenRequest {
  readonly stream: Http3Stream;
  readonly fields: RequestFields;
  body: string;
  trailers: HeaderMap | null;
  ended: boolean;
  closedWith: number | null;
}

/** A response as received by the client. */
export class Response implements StreamUser {
  readonly heads: (readonly [string, string])[][] = [];
  body = '';
  ended = false;
  resetCode: number | null = null;
  closed = false;
  readonly #reader: FrameReader;
  readonly #stream: QuicStream;

  constructor(stream: QuicStream, decoder: QpackDecoder) {
    this.#stream = stream;
    this.#reader = new FrameReader({
      onFrame: (type) =>
        type === frameType.headers ? take.collect : type === frameType.data ? take.pieces : take.skip,
      onPiece: (bytes) => {
        this.body += bytes.toString('latin1');
      },
      onPayload: (_type, section) => {
        const fields: (readonly [string, string])[] = [];
        const result = decoder.decode(section, { field: (name, value) => void fields.push([name, value]) });
        if (result === decodeResult.blocked) throw new Error('the server refers to entries that were not confirmed');
        this.heads.push(fields);
      },
    });
  }

  onData(bytes: Buffer): void {
    this.#reader.read(bytes, 0, () => false);
    this.#stream.credit(bytes.length);
  }

  onEnd(): void {
    this.ended = true;
  }

  onReset(code: number): void {
    this.resetCode = code;
  }

  onStopSending(): void {}

  onRoom(): void {}

  onClosed(): void {
    this.closed = true;
  }

  fault(error: unknown): void {
    throw error as Error;
  }
}

const deaf: StreamUser = {
  onData: () => undefined,
  onEnd: () => undefined,
  onReset: () => undefined,
  onStopSending: () => undefined,
  onRoom: () => undefined,
  onClosed: () => undefined,
  fault: () => undefined,
};

export class Conversation implements Http3Handler, ConnectionUser {
  readonly clock = new SimulatedClock();
  readonly fieldLimits = { bytes: 4096, count: 100, kept: new Set<string>() };
  readonly requests: SeenRequest[] = [];
  readonly abuses: string[] = [];
  readonly faults: unknown[] = [];
  /** Reason why the connection closed, as reported to the client. */
  clientClosed: CloseReason | null = null;
  readonly server = new Http3ServerConnection(this);
  readonly decoder = new QpackDecoder();
  readonly encoder = new QpackEncoder();
  client: Connection;
  control: QuicStream | null = null;
  encoderStream: QuicStream | null = null;
  decoderStream: QuicStream | null = null;
  /** Data of the streams that the server opened, by stream type. */
  readonly serverStreams = new Map<number, Buffer>();
  readonly #endpoints: Record<'client' | 'server', Endpoint>;
  onSeen: (request: SeenRequest) => void = () => undefined;
  /** If false, the client's QPACK encoder does not process feedback. Used by tests that encode field sections without the encoder. */
  hearsFeedback = true;

  constructor({ begins = true } = {}) {
    const common = {
      ciphers: nodeCiphers,
      resetKey: Buffer.alloc(32, 1),
      tokenKey: Buffer.alloc(32, 2),
      clock: this.clock,
      connections: {
        idleTimeout: 30_000,
        maxData: 1 << 20,
        maxStreamData: 1 << 18,
        maxStreamsBidi: 100,
        maxStreamsUni: 10,
      },
    };
    const server = new Endpoint({
      ...common,
      transport: { send: (run) => this.#carry(run, 'client', 'server') },
      acceptor: { accept: () => ({ user: this.server, tls: (parameters) => new FakeTls(true, parameters) }) },
    });
    const client = new Endpoint({
      ...common,
      transport: { send: (run) => this.#carry(run, 'server', 'client') },
      acceptor: null,
    });
    this.#endpoints = { client, server };
    this.client = client.connect(addresses.server, this, { tls: (parameters) => new FakeTls(false, parameters) });
    this.run(() => this.client.confirmed && this.server.quic !== null);
    if (begins) this.begin();
  }

  #carry({ bytes, start, end, segment }: DatagramRun, to: 'client' | 'server', from: 'client' | 'server'): void {
    for (let at = start; at < end; at += segment) {
      const datagram = Buffer.from(bytes.subarray(at, Math.min(end, at + segment)));
      this.clock.at(this.clock.now() + 1, () => {
        const endpoint = this.#endpoints[to];
        endpoint.receive(datagram, 0, datagram.length, {
          address: addresses[from],
          codepoint: ecn.notEct,
          now: this.clock.now(),
        });
        endpoint.flush();
      });
    }
  }

  run(done: () => boolean = () => false, limit = 1000): void {
    this.clock.run(done, limit);
  }

  /** Opens the client's control and QPACK streams. */
  begin(settings: readonly (readonly [number, number])[] = [[setting.qpackMaxTableCapacity, 4096]]): void {
    const payload = Buffer.concat(settings.flatMap(([id, value]) => [integerBytes(id), integerBytes(value)]));
    this.control = this.open(streamType.control, frameBytes(frameType.settings, payload));
    this.encoderStream = this.open(streamType.encoder);
    this.decoderStream = this.open(streamType.decoder);
    this.encoder.offer(4096);
    this.run();
  }

  /** Opens a unidirectional stream from the client. */
  open(type: number, first: Buffer = Buffer.alloc(0)): QuicStream {
    const stream = this.client.openStream(false);
    if (stream === null) throw new Error('the server allows no stream');
    stream.user = deaf;
    stream.write(Buffer.concat([integerBytes(type), first]));
    return stream;
  }

  /** Encodes a field section of the client. Sends the QPACK encoder instructions first, unless the test delays them. */
  section(fields: readonly string[], stream = 0): Buffer {
    const section = Buffer.from(this.encoder.encode(stream, fields));
    const instructions = this.encoder.takeInstructions();
    if (instructions.length > 0) this.encoderStream?.write(instructions);
    return section;
  }

  /** Sends raw bytes on a new request stream. */
  raw(bytes: Buffer, end = true): { readonly stream: QuicStream; readonly response: Response } {
    return this.#send(() => bytes, end);
  }

  #send(bytesOf: (id: number) => Buffer, end: boolean): { readonly stream: QuicStream; readonly response: Response } {
    const stream = this.client.openStream(true);
    if (stream === null) throw new Error('the server allows no stream');
    const response = new Response(stream, this.decoder);
    stream.user = response;
    stream.write(bytesOf(stream.id));
    if (end) stream.end();
    return { stream, response };
  }

  /** Sends a request. */
  request(fields: readonly string[], body = '', trailers: readonly string[] | null = null): Response {
    const bytesOf = (id: number): Buffer => {
      const parts = [frameBytes(frameType.headers, this.section(fields, id))];
      if (body !== '') parts.push(frameBytes(frameType.data, Buffer.from(body, 'latin1')));
      if (trailers !== null) parts.push(frameBytes(frameType.headers, this.section(trailers, id)));
      return Buffer.concat(parts);
    };
    return this.#send(bytesOf, true).response;
  }

  // Server callbacks

  onHandshakeComplete(): void {}

  onRequest(stream: Http3Stream, fields: RequestFields): void {
    const seen: SeenRequest = { stream, fields, body: '', trailers: null, ended: false, closedWith: null };
    this.requests.push(seen);
    stream.owner = {
      onData: (bytes) => {
        seen.body += bytes.toString('latin1');
        stream.credit(bytes.length);
      },
      onEnd: (trailers) => {
        seen.trailers = trailers;
        seen.ended = true;
        this.onSeen(seen);
      },
      onSent: () => undefined,
      onClose: (code) => {
        seen.closedWith = code;
      },
      fault: (error) => this.faults.push(error),
    } satisfies StreamOwner;
  }

  onStreamClosed(): void {}

  onStreamLimit(): void {}

  onAbuse(reason: string): void {
    this.abuses.push(reason);
  }

  // Connection callbacks of both sides.

  onReady(_connection: QuicConnection): void {}

  onStream(stream: QuicStream): void {
    let bytes: Buffer = Buffer.alloc(0);
    stream.user = {
      ...deaf,
      onData: (piece) => {
        bytes = Buffer.concat([bytes, piece]);
        stream.credit(piece.length);
        const type = bytes[0]!;
        this.serverStreams.set(type, bytes.subarray(1));
        if (type === streamType.encoder) this.#instructions(piece, bytes.length === piece.length);
        if (type === streamType.decoder && this.hearsFeedback)
          this.encoder.feedback(bytes.length === piece.length ? piece.subarray(1) : piece);
      },
    };
  }

  #instructions(piece: Buffer, isFirst: boolean): void {
    const inserted = this.decoder.instructions(isFirst ? piece.subarray(1) : piece);
    if (inserted > 0) this.decoderStream?.write(Buffer.from([inserted]));
  }

  onClosed(reason: CloseReason): void {
    if (reason.by === 'peer' || reason.by === 'timeout') this.clientClosed = reason;
  }

  fault(error: unknown): void {
    this.faults.push(error);
  }

  close(): void {
    this.#endpoints.client.close();
    this.#endpoints.server.close();
  }
}

/** Header fields of a GET request. */
export const get: readonly string[] = [':method', 'GET', ':scheme', 'https', ':authority', 'example.com', ':path', '/'];
