import { expect } from 'chai';
import fc from 'fast-check';
import { writeResult } from '@sluice/http2';
import { frame, literals, number, Peer, request, usual, type Recorder } from './peer.ts';

const hello = ({ stream }: Recorder): void => {
  stream.respond([':status', '200', 'server', 'Sluice'], false);
  stream.write(Buffer.from('hello'));
  stream.end(null);
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const data = 0;
const headers = 1;
const reset = 3;
const ping = 6;
const goAway = 7;
const windowUpdate = 8;

const setting = (id: number, value: number): Buffer => {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id, 0);
  payload.writeUInt32BE(value, 2);
  return frame(4, 0, 0, payload);
};

describe('HTTP/2 server connection', () => {
  it('an HTTP/2 connection writes the responses to all requests that arrived in one read in a single write', () => {
    const peer = new Peer(hello).open(request(1, true), request(3, true), request(5, true));
    expect(peer.writes.length).to.equal(1);
    expect(peer.of(data).map(({ payload, flags }) => `${payload.toString()} ${flags}`)).to.deep.equal(
      Array(3).fill('hello 1'),
    );
    expect(peer.blocks(5)).to.deep.equal([':status=200 server=Sluice']);
    expect(peer.connection.streams.size).to.equal(0);
  });

  it('an HTTP/2 connection writes the responses of one event loop turn in a single write', async () => {
    const peer = new Peer().open(request(1, true), request(3, true));
    const before = peer.writes.length;
    for (const each of peer.requests) hello(each);
    expect(peer.writes.length).to.equal(before);
    await turn();
    expect(peer.writes.length).to.equal(before + 1);
    expect(peer.of(data).length).to.equal(2);
  });

  it('consecutive writes to an HTTP/2 stream are merged into one frame', () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      for (let i = 0; i < 1000; i++) stream.write(Buffer.from('x'));
      stream.end(null);
    }).open(request(1, true));
    expect(peer.of(data).map(({ payload }) => payload.length)).to.deep.equal([1000]);
  });

  it('an HTTP/2 connection does not serialize frames while a write is in progress', () => {
    const peer = new Peer(hello);
    peer.result = writeResult.copied;
    peer.open(request(1, true));
    const before = peer.writes.length;
    peer.send(request(3, true));
    expect(peer.writes.length).to.equal(before);
    peer.connection.outbound.written();
    expect(peer.writes.length).to.equal(before + 1);
    expect(peer.of(data).length).to.equal(2);
  });

  it('HTTP/2 streams are interleaved, and more urgent streams are sent first (RFC 9218)', async () => {
    const peer = new Peer();
    peer.result = writeResult.copied;
    peer.open(
      setting(4, 1_000_000),
      request(1, true),
      request(3, true, [['priority', 'u=5, i']]),
      request(5, true, [['priority', 'u=1']]),
    );
    for (const { stream } of peer.requests) {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(40_000));
      stream.end(null);
    }
    peer.send(frame(windowUpdate, 0, 0, number(1_000_000)));
    for (let i = 0; i < 20; i++) {
      await turn();
      peer.connection.outbound.written();
    }
    const order = peer.of(data).map(({ stream }) => stream);
    // After the response head, each stream sends one frame. From then on, the most urgent stream is sent until it is complete.
    expect(order.slice(3)).to.deep.equal([5, 5, 1, 1, 3, 3]);
  });

  it('an HTTP/2 connection sends heads even if its window is empty, and sends bodies when the window opens', async () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(65_535));
      stream.end(null);
    }).open(request(1, true));
    peer.send(request(3, true));
    await turn();
    expect(peer.of(headers).length).to.equal(2);
    expect(peer.of(data).filter(({ stream }) => stream === 3)).to.deep.equal([]);
    peer.send(frame(windowUpdate, 0, 0, number(65_535)));
    const size = peer.of(data).reduce((sum, { payload }) => sum + payload.length, 0);
    expect(size).to.equal(2 * 65_535);
  });

  it('HTTP/2 windows may become negative (RFC 9113 §6.9.2)', async () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(20_000));
      stream.end(null);
    });
    peer.open(setting(4, 10_000), request(1, true));
    peer.send(setting(4, 0), frame(windowUpdate, 0, 1, number(5000)));
    await turn();
    const size = (): number => peer.of(data).reduce((sum, { payload }) => sum + payload.length, 0);
    expect(size()).to.equal(10_000);
    peer.send(frame(windowUpdate, 0, 1, number(5001)));
    await turn();
    expect(size()).to.equal(10_001);
  });

  it('HTTP/2 windows are updated as bodies are consumed, and immediately for padding', () => {
    const peer = new Peer(({ reads }) => void reads, { stream: 1000, all: 100_000 }).open(request(1, false));
    const recorder = peer.requests[0] as Recorder;
    recorder.reads = false;
    peer.send(frame(data, 0, 1, Buffer.alloc(900)));
    expect(peer.of(windowUpdate).filter(({ stream }) => stream === 1)).to.deep.equal([]);
    recorder.stream.credit(900);
    peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    expect(
      peer
        .of(windowUpdate)
        .filter(({ stream }) => stream === 1)
        .map(({ payload }) => payload.readUInt32BE()),
    ).to.deep.equal([900]);
    peer.send(frame(data, 8, 1, Buffer.concat([Buffer.from([200]), Buffer.alloc(250)])));
    peer.send(frame(data, 0, 1, Buffer.alloc(800)));
    expect(peer.of(reset).map(({ payload }) => payload.readUInt32BE())).to.deep.equal([3]);
    expect(recorder.closed).to.equal(3);
  });

  it('the HTTP/2 connection window is updated even for bodies that are never read', () => {
    const peer = new Peer(undefined, { stream: 1000, all: 66_000 });
    peer.open(request(1, false));
    (peer.requests[0] as Recorder).reads = false;
    for (let id = 3; id < 400; id += 2) {
      peer.send(request(id, false), frame(data, 0, id, Buffer.alloc(1000)), frame(reset, 0, id, number(8)));
      for (const recorder of peer.requests) recorder.reads = false;
    }
    expect(peer.of(goAway)).to.deep.equal([]);
    expect(peer.connection.over).to.equal(false);
  });

  it('HTTP/2 frames may arrive byte by byte', () => {
    const peer = new Peer(hello);
    const all = Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1'),
      frame(4, 0, 0),
      request(1, false),
      frame(data, 1, 1, Buffer.from('body')),
    ]);
    for (const byte of all) peer.send(Buffer.from([byte]));
    expect(Buffer.concat((peer.requests[0] as Recorder).body).toString()).to.equal('body');
    expect(peer.of(data).length).to.equal(1);
  });

  it('an HTTP/2 shutdown has two steps, and requests that arrive between the steps are served (RFC 9113 §6.8)', () => {
    const peer = new Peer(hello).open(request(1, true));
    peer.connection.shutdown();
    peer.send(request(3, true));
    expect(peer.of(goAway).map(({ payload }) => payload.readUInt32BE() & 0x7fffffff)).to.deep.equal([0x7fffffff]);
    expect(peer.blocks(3).length).to.equal(1);
    expect(peer.ended).to.equal(false);
    peer.connection.finishShutdown();
    peer.connection.outbound.flush();
    expect(peer.of(goAway).at(-1)?.payload.readUInt32BE()).to.equal(3);
    expect(peer.ended).to.equal(true);
    peer.send(request(5, true));
    expect(peer.blocks(5)).to.deep.equal([]);
  });

  it('open HTTP/2 streams complete before the connection closes', async () => {
    const peer = new Peer().open(request(1, true));
    peer.connection.shutdown();
    peer.connection.finishShutdown();
    expect(peer.ended).to.equal(false);
    hello(peer.requests[0] as Recorder);
    await turn();
    expect(peer.ended).to.equal(true);
    expect(peer.of(data).length).to.equal(1);
  });

  it('HTTP/2 requests that are held back during a shutdown are refused by the final GOAWAY', async () => {
    const peer = new Peer().open(request(1, true));
    peer.connection.holdNewStreams();
    peer.send(request(3, true), request(5, false), frame(data, 1, 5, Buffer.from('body')));
    peer.connection.outbound.flush();
    expect(peer.requests.length).to.equal(1);
    expect(peer.of(goAway)).to.deep.equal([]);
    expect(peer.of(reset)).to.deep.equal([]);
    hello(peer.requests[0] as Recorder);
    await turn();
    expect(peer.ended).to.equal(false);
    peer.connection.finishShutdown();
    peer.connection.outbound.flush();
    expect(peer.of(goAway).map(({ payload }) => payload.readUInt32BE())).to.deep.equal([1]);
    expect(peer.ended).to.equal(true);
  });

  it('a slow last response completes even if the final GOAWAY has refused HTTP/2 requests that were held back', async () => {
    const peer = new Peer().open(request(1, true));
    peer.connection.holdNewStreams();
    peer.send(request(3, true));
    peer.connection.finishShutdown();
    peer.connection.outbound.flush();
    expect(peer.of(goAway).map(({ payload }) => payload.readUInt32BE())).to.deep.equal([1]);
    expect(peer.ended).to.equal(false);
    hello(peer.requests[0] as Recorder);
    await turn();
    expect(peer.of(data).length).to.equal(1);
    expect(peer.of(goAway).length).to.equal(1);
    expect(peer.ended).to.equal(true);
  });

  it('after a complete response, the HTTP/2 server asks the client to stop sending a request body that is no longer needed', async () => {
    const peer = new Peer().open(request(1, false));
    const { stream } = peer.requests[0] as Recorder;
    stream.respond([':status', '200'], false);
    stream.write(Buffer.from('hello'));
    stream.end(null);
    stream.stop();
    await turn();
    const kinds = peer.frames.filter((each) => each.stream === 1).map(({ type }) => type);
    expect(kinds).to.deep.equal([headers, data, reset]);
    expect(peer.of(reset)[0]?.payload.readUInt32BE()).to.equal(0);
  });

  it('HTTP/2 trailers are sent, and interim responses are sent before the head', async () => {
    const peer = new Peer().open(request(1, true));
    const { stream } = peer.requests[0] as Recorder;
    stream.interim([':status', '103', 'link', '</a>']);
    stream.respond([':status', '200'], false);
    stream.write(Buffer.from('x'));
    stream.end(['x-sum', '1']);
    await turn();
    expect(peer.blocks(1)).to.deep.equal([':status=103 link=</a>', ':status=200', 'x-sum=1']);
    expect(peer.frames.at(-1)?.flags).to.equal(5);
  });

  it('HTTP/2 heads that exceed the frame size are split', async () => {
    const peer = new Peer().open(request(1, true));
    const value = 'v'.repeat(40_000);
    (peer.requests[0] as Recorder).stream.respond([':status', '200', 'x-long', value], true);
    await turn();
    const pieces = peer.frames.filter(({ stream }) => stream === 1);
    expect(pieces.map(({ type, flags }) => `${type} ${flags}`)).to.deep.equal(['1 1', '9 0', '9 4']);
    expect(Buffer.concat(pieces.map(({ payload }) => payload)).toString('latin1')).to.contain(value);
  });

  it('the owner of a closed HTTP/2 stream receives exactly one notification, and unsent data is discarded', () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(100_000));
    }).open(request(1, true));
    const recorder = peer.requests[0] as Recorder;
    expect(recorder.stream.queued).to.be.greaterThan(0);
    peer.send(frame(reset, 0, 1, number(8)));
    expect([recorder.closed, recorder.stream.queued, peer.connection.streams.size]).to.deep.equal([8, 0, 0]);
    peer.connection.lost();
    expect(recorder.closed).to.equal(8);
  });

  it('an HTTP/2 stream is reset if its owner throws, and other streams continue', () => {
    const peer = new Peer((recorder) => {
      if (recorder.stream.id === 1)
        recorder.onData = () => {
          throw new Error('of an owner');
        };
      else hello(recorder);
    }).open(request(1, false), frame(data, 0, 1, Buffer.from('x')), request(3, true));
    expect(peer.of(reset).map(({ stream }) => stream)).to.deep.equal([1]);
    expect(peer.of(data).map(({ stream }) => stream)).to.deep.equal([3]);
  });

  it('the HTTP/2 field list limit is advertised, and larger lists are reported to the handler', () => {
    const peer = new Peer();
    peer.fieldLimits = { bytes: 300, count: 100, kept: new Set() };
    peer.open(
      request(1, true, [
        ['x-a', 'a'.repeat(120)],
        ['x-b', 'b'.repeat(120)],
      ]),
    );
    expect((peer.requests[0] as Recorder).fields.tooLarge).to.equal(true);
  });

  for (const [what, pieces, count] of [
    ['stream resets', (i: number) => [request(2 * i + 1, false), frame(reset, 0, 2 * i + 1, number(8))], 1500],
    ['SETTINGS frames', () => [frame(4, 0, 0)], 15_000],
    ['empty DATA frames', () => [frame(data, 0, 1)], 15_000],
    ['malformed requests', (i: number) => [request(2 * i + 1, true, [['connection', 'x']])], 1500],
  ] as const) {
    it(`an HTTP/2 client that sends too many ${what} is disconnected`, () => {
      const peer = new Peer().open(...(what === 'empty DATA frames' ? [request(1, false)] : []));
      for (let i = 1; i < count && !peer.connection.over; i++) peer.send(...pieces(i));
      expect(peer.connection.over).to.equal(true);
      expect(peer.abuses.length).to.equal(1);
      expect(peer.of(goAway).at(-1)?.payload.readUInt32BE(4)).to.equal(11);
    });
  }

  it('an HTTP/2 client that triggers control frames without reading them is disconnected', () => {
    const peer = new Peer();
    peer.result = writeResult.copied;
    peer.open();
    for (let i = 0; i < 2000 && !peer.destroyed; i++) peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    expect(peer.destroyed).to.equal(true);
    expect(peer.abuses.length).to.equal(1);
  });

  it('an HTTP/2 connection sends an error code even while a write is in progress', () => {
    const peer = new Peer(hello);
    peer.result = writeResult.copied;
    peer.open(request(1, true)).send(frame(ping, 0, 1, Buffer.alloc(8)));
    expect([peer.endings, peer.ended, peer.of(goAway).length]).to.deep.equal([1, false, 0]);
    peer.connection.outbound.written();
    peer.connection.outbound.written();
    expect([peer.ended, peer.of(goAway)[0]?.payload.readUInt32BE(4)]).to.deep.equal([true, 1]);
  });

  it('an HTTP/2 connection never throws and always ends, regardless of the frames received', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(literals(usual)),
      fc.constant(Buffer.alloc(8)),
    );
    const any = fc
      .tuple(fc.integer({ min: 0, max: 17 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 9 }), payload)
      .map(([type, flags, stream, bytes]) => frame(type, flags, stream, bytes));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), fc.integer({ min: 1, max: 50 }), (frames, size) => {
        const peer = new Peer(hello).open();
        const all = Buffer.concat(frames);
        for (let at = 0; at < all.length; at += size) peer.send(all.subarray(at, at + size));
        peer.connection.lost();
        expect(peer.faults).to.equal(0);
        expect(peer.connection.streams.size).to.equal(0);
        for (const { closed } of peer.requests) expect(closed).to.not.equal(null);
      }),
      { numRuns: 500 },
    );
  });
});
