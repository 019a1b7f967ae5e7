import { expect } from 'chai';
import type { HeaderMap } from '@sluice/http1';
import {
  h3Error,
  Http3ClientConnection,
  type RequestFailure,
  type Http3ClientStream,
  type ResponseFields,
} from '@sluice/http3';
import type { CloseReason, QuicStream } from '@sluice/quic';
import { Collector, FakeTls, serverAddress, Simulation } from '@sluice/testing/quic';
import { frameBytes, frameType, integerBytes, setting, streamType } from '../src/frame.ts';
import { QpackEncoder } from '../src/qpack/encoder.ts';

/** Records a response. */
class Seen {
  stream: Http3ClientStream | null = null;
  readonly interim: number[] = [];
  status = 0;
  body = '';
  trailers: HeaderMap | null = null;
  ended = false;
  failure: RequestFailure | null = null;
  reason = '';

  onInterim({ status }: ResponseFields): void {
    this.interim.push(status);
  }

  onHead({ status }: ResponseFields): void {
    this.status = status;
  }

  onData(bytes: Buffer): void {
    this.body += bytes.toString('latin1');
    this.stream?.credit(bytes.length);
  }

  onEnd(trailers: HeaderMap | null): void {
    this.ended = true;
    this.trailers = trailers;
  }

  onRoom(): void {}

  onStopped(): void {}

  onFailed(kind: RequestFailure, reason: string): void {
    this.failure = kind;
    this.reason = reason;
  }

  fault(error: unknown): void {
    throw error as Error;
  }
}

/** A client, and a server that can send arbitrary bytes. */
class Exchange {
  readonly simulation = new Simulation();
  readonly responseLimits = { bytes: 4096, count: 100 };
  readonly client = new Http3ClientConnection(this);
  readonly encoder = new QpackEncoder();
  closed: CloseReason | null = null;
  goAways = 0;
  control: QuicStream | null = null;
  /** Request streams received by the server. */
  readonly requests: Collector[] = [];
  readonly streams: QuicStream[] = [];
  /** Data of the client's unidirectional streams. */
  readonly unidirectional: Collector[] = [];

  constructor(settings: readonly (readonly [number, number])[] = []) {
    const { simulation } = this;
    simulation.client.connect(serverAddress, this.client, { tls: (parameters) => new FakeTls(false, parameters) });
    simulation.clock.run(() => this.client.quic !== null && simulation.atServer[0]?.connection != null);
    simulation.atServer[0]!.onNewStream = (stream) => {
      const collector = new Collector(stream);
      if ((stream.id & 2) !== 0) this.unidirectional.push(collector);
      else {
        this.requests.push(collector);
        this.streams.push(stream);
      }
    };
    const payload = Buffer.concat(settings.flatMap(([id, value]) => [integerBytes(id), integerBytes(value)]));
    this.control = this.open(streamType.control, frameBytes(frameType.settings, payload));
    this.run(() => this.client.hasSettings);
  }

  open(type: number, first = Buffer.alloc(0)): QuicStream {
    const stream = this.simulation.atServer[0]!.connection!.openStream(false)!;
    void new Collector(stream);
    stream.write(Buffer.concat([integerBytes(type), first]));
    return stream;
  }

  run(done: () => boolean = () => false): void {
    this.simulation.clock.run(done, 1000);
  }

  request(isHead = false): Seen {
    const seen = new Seen();
    const fields = [':method', isHead ? 'HEAD' : 'GET', ':scheme', 'https', ':authority', 'a', ':path', '/'];
    seen.stream = this.client.request(seen, fields, isHead);
    seen.stream?.end(null);
    this.run();
    return seen;
  }

  section(fields: readonly string[]): Buffer {
    return frameBytes(frameType.headers, Buffer.from(this.encoder.encode(0, fields)));
  }

  /** Sends bytes on the most recent request stream. */
  respond(bytes: Buffer, end = true): void {
    const stream = this.streams.at(-1)!;
    stream.write(bytes);
    if (end) stream.end();
    this.run();
  }

  onConnected(): void {}

  onSettings(): void {}

  onStreamLimit(): void {}

  onStreamClosed(): void {}

  onGoAway(): void {
    this.goAways += 1;
  }

  onClosed(reason: CloseReason): void {
    this.closed = reason;
  }

  fault(error: unknown): void {
    throw error as Error;
  }
}

describe('Http3ClientConnection', () => {
  let exchange: Exchange;
  beforeEach(() => {
    exchange = new Exchange();
  });
  afterEach(() => {
    exchange.simulation.close();
  });
  const data = (text: string): Buffer => frameBytes(frameType.data, Buffer.from(text));

  it('Http3ClientConnection delivers interim responses, the head, the body and trailers', () => {
    const seen = exchange.request();
    exchange.respond(
      Buffer.concat([
        exchange.section([':status', '103']),
        exchange.section([':status', '200', 'content-length', '5']),
        data('he'),
        data('llo'),
        exchange.section(['x-end', 'yes']),
      ]),
    );
    expect(seen).to.deep.include({ interim: [103], status: 200, body: 'hello', ended: true, failure: null });
    expect(seen.trailers?.get('x-end')).to.equal('yes');
    expect(exchange.client.streams.size).to.equal(0);
  });

  const malformed: Record<string, (of: Exchange) => Buffer> = {
    'no status': (of) => of.section(['x-a', 'b']),
    'a two-digit status': (of) => of.section([':status', '20']),
    'status 101': (of) => of.section([':status', '101']),
    'a request pseudo-header': (of) => of.section([':status', '200', ':path', '/']),
    'a connection-specific field': (of) => of.section([':status', '200', 'connection', 'close']),
    'a body longer than declared': (of) =>
      Buffer.concat([of.section([':status', '200', 'content-length', '1']), data('ab')]),
    'a body shorter than declared': (of) =>
      Buffer.concat([of.section([':status', '200', 'content-length', '3']), data('ab')]),
    'a status in trailers': (of) =>
      Buffer.concat([of.section([':status', '200']), data('a'), of.section([':status', '200'])]),
    'a field section that is too large': (of) => of.section([':status', '200', 'x-a', 'b'.repeat(4096)]),
    'only an interim response': (of) => of.section([':status', '103']),
    'no header section': () => Buffer.from([0x21, 0]),
  };
  for (const [name, bytesOf] of Object.entries(malformed))
    // Attack in docs/security.md: Malformed responses, control frames, GOAWAY frames and pushes from an HTTP/3 upstream.
    it(`Http3ClientConnection fails only the affected request if the response has ${name}`, () => {
      const seen = exchange.request();
      exchange.respond(bytesOf(exchange));
      expect(seen.failure).to.equal('reset');
      expect(exchange.client.over).to.equal(false);
      const next = exchange.request();
      exchange.respond(exchange.section([':status', '204']));
      expect(next.status).to.equal(204);
    });

  it('Http3ClientConnection accepts Content-Length in responses without a body', () => {
    const head = exchange.request(true);
    exchange.respond(exchange.section([':status', '200', 'content-length', '9']));
    expect(head).to.include({ status: 200, ended: true });
    const unchanged = exchange.request();
    exchange.respond(exchange.section([':status', '304', 'content-length', '9']));
    expect(unchanged).to.include({ status: 304, ended: true });
  });

  it('Http3ClientConnection reports rejected and reset requests', () => {
    for (const [code, kind] of [
      [h3Error.requestRejected, 'rejected'],
      [h3Error.internalError, 'reset'],
    ] as const) {
      const seen = exchange.request();
      exchange.streams.at(-1)!.reset(code);
      exchange.run();
      expect(seen.failure).to.equal(kind);
    }
  });

  it('Http3ClientConnection resets both directions of the stream if a request is canceled', () => {
    const seen = exchange.request();
    seen.stream!.cancel();
    exchange.run();
    expect(exchange.requests[0]!.stopCode).to.equal(h3Error.requestCancelled);
    expect(seen.failure).to.equal(null);
  });

  it('Http3ClientConnection rejects requests above the ID in GOAWAY, and completes other requests', () => {
    const first = exchange.request();
    const second = exchange.request();
    exchange.control!.write(frameBytes(frameType.goAway, integerBytes(4)));
    exchange.run();
    expect([first.failure, second.failure, exchange.goAways]).to.deep.equal([null, 'rejected', 1]);
    expect(exchange.client.usable).to.equal(false);
    exchange.streams[0]!.write(exchange.section([':status', '200']));
    exchange.streams[0]!.end();
    exchange.run();
    expect(first.ended).to.equal(true);
  });

  it('Http3ClientConnection fails requests in flight when the connection is closed', () => {
    const seen = exchange.request();
    exchange.simulation.atServer[0]!.connection!.close(h3Error.noError, 'restart');
    exchange.run();
    expect(seen).to.include({ failure: 'lost', reason: 'the connection was closed: restart' });
    expect(exchange.closed?.by).to.equal('peer');
  });

  it('Http3ClientConnection determines from the peer settings whether extended CONNECT is supported', () => {
    expect(exchange.client.hasConnect).to.equal(false);
    const other = new Exchange([[setting.enableConnectProtocol, 1]]);
    expect(other.client.hasConnect).to.equal(true);
    other.simulation.close();
  });

  const violations: Record<string, readonly [number, (of: Exchange) => void]> = {
    'a push stream': [h3Error.idError, (of) => of.open(streamType.push, Buffer.from([0]))],
    'a second control stream': [h3Error.streamCreationError, (of) => of.open(streamType.control)],
    'a server-initiated bidirectional stream': [
      h3Error.streamCreationError,
      (of) => {
        const stream = of.simulation.atServer[0]!.connection!.openStream(true)!;
        void new Collector(stream);
        stream.write(Buffer.from('x'));
      },
    ],
    'a closed control stream': [h3Error.closedCriticalStream, (of) => of.control!.end()],
    MAX_PUSH_ID: [
      h3Error.frameUnexpected,
      (of) => of.control!.write(frameBytes(frameType.maxPushId, Buffer.from([1]))),
    ],
    PRIORITY_UPDATE: [
      h3Error.frameUnexpected,
      (of) => of.control!.write(frameBytes(frameType.priorityUpdate, Buffer.from([0]))),
    ],
    'a second SETTINGS frame': [
      h3Error.frameUnexpected,
      (of) => of.control!.write(frameBytes(frameType.settings, Buffer.alloc(0))),
    ],
    'GOAWAY with the ID of a server-initiated stream': [
      h3Error.idError,
      (of) => of.control!.write(frameBytes(frameType.goAway, integerBytes(1))),
    ],
    'GOAWAY with an increased ID': [
      h3Error.idError,
      (of) => {
        of.control!.write(frameBytes(frameType.goAway, integerBytes(4)));
        of.control!.write(frameBytes(frameType.goAway, integerBytes(8)));
      },
    ],
    PUSH_PROMISE: [
      h3Error.frameUnexpected,
      (of) => {
        of.request();
        of.respond(frameBytes(frameType.pushPromise, Buffer.from([0, 0, 0])), false);
      },
    ],
    'DATA before HEADERS': [
      h3Error.frameUnexpected,
      (of) => {
        of.request();
        of.respond(data('a'), false);
      },
    ],
    'a stream that ends within a frame': [
      h3Error.frameError,
      (of) => {
        of.request();
        of.respond(Buffer.from([frameType.headers, 9, 0]));
      },
    ],
    'a field section that cannot be decoded': [
      h3Error.qpackDecompressionFailed,
      (of) => {
        of.request();
        of.respond(frameBytes(frameType.headers, Buffer.from([0, 0, 0xff, 0xff, 0xff])));
      },
    ],
  };
  for (const [name, [code, act]] of Object.entries(violations))
    // Attack in docs/security.md: Malformed responses, control frames, GOAWAY frames and pushes from an HTTP/3 upstream.
    it(`Http3ClientConnection closes the connection for ${name}`, () => {
      act(exchange);
      exchange.run(() => exchange.closed !== null);
      expect(exchange.closed).to.include({ code, by: 'local' });
    });

  it('Http3ClientConnection sends a stream cancellation if a request is canceled while its response waits for table entries', () => {
    const seen = exchange.request();
    // A reference to the first entry of the dynamic table, which is never inserted.
    exchange.respond(frameBytes(frameType.headers, Buffer.from([2, 0, 0x80])), false);
    const decoder = exchange.unidirectional.find(({ data: bytes }) => bytes[0] === streamType.decoder)!;
    expect(seen.stream!.blocked).to.equal(true);
    seen.stream!.cancel();
    exchange.run();
    expect(decoder.data.toString('hex')).to.equal('0340');
  });
});
