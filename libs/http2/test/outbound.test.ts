import { expect } from 'chai';
import { writeResult } from '@sluice/http2';
import { HpackDecoder } from '../src/hpack/decoder.ts';
import { frame, number, Peer, request, type Recorder } from './peer.ts';

const data = 0;
const headers = 1;
const reset = 3;
const ping = 6;
const windowUpdate = 8;
const frameSize = 16_384;
const enough = 65_536;
const ok = [':status', '200'];

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const initialWindow = (size: number): Buffer => frame(4, 0, 0, Buffer.from([0, 4, ...number(size)]));
const windows = (size: number): Buffer[] => [initialWindow(size), frame(windowUpdate, 0, 0, number(size))];
const streamOf = (peer: Peer, at = 0): Recorder['stream'] => (peer.requests[at] as Recorder).stream;

function sent(peer: Peer): string[] {
  return peer.frames
    .filter(({ stream }) => stream > 0)
    .map(
      ({ type, flags, stream, payload }) => `${type} ${flags} ${stream}${type === data ? ` ${payload.length}` : ''}`,
    );
}

describe('HTTP/2 connection output', () => {
  it('the last frame of every HTTP/2 response has END_STREAM', async () => {
    for (const [respond, frames] of [
      [(stream) => stream.respond(ok, true), ['1 5 1']],
      [(stream) => (stream.respond(ok, false), stream.end(null)), ['1 5 1']],
      [(stream) => (stream.respond(ok, false), stream.end(['x-a', '1'])), ['1 4 1', '1 5 1']],
      [(stream) => (stream.interim(ok), stream.respond(ok, true)), ['1 4 1', '1 5 1']],
      [(stream) => (stream.respond(ok, false), stream.write(Buffer.alloc(3)), stream.end(null)), ['1 4 1', '0 1 1 3']],
      [(stream) => (stream.respond(ok, false), stream.write(Buffer.alloc(1)), stream.end(null)), ['1 4 1', '0 1 1 1']],
      [
        (stream) => (stream.respond(ok, false), stream.write(Buffer.alloc(3)), stream.end(['x-a', '1'])),
        ['1 4 1', '0 0 1 3', '1 5 1'],
      ],
    ] as const satisfies readonly (readonly [(stream: Recorder['stream']) => void, readonly string[]])[]) {
      const peer = new Peer().open(request(1, true));
      respond(streamOf(peer));
      await turn();
      expect(sent(peer)).to.deep.equal(frames);
      expect([peer.requests[0]?.closed, peer.connection.streams.size]).to.deep.equal([0, 0]);
    }
  });

  it('an HTTP/2 response ends correctly even if the head or the whole body was already sent', async () => {
    for (const [body, trailers, end] of [
      [0, null, ['0 1 1 0']],
      [5, null, ['0 1 1 0']],
      [0, ['x-a', '1'], ['1 5 1']],
      [5, ['x-a', '1'], ['1 5 1']],
    ] as const) {
      const peer = new Peer().open(request(1, true));
      const stream = streamOf(peer);
      stream.respond(ok, false);
      stream.write(Buffer.alloc(body));
      await turn();
      const before = sent(peer).length;
      expect([before, stream.localEnded]).to.deep.equal([body > 0 ? 2 : 1, false]);
      stream.end(trailers);
      await turn();
      expect(sent(peer).slice(before)).to.deep.equal(end);
      expect(peer.connection.streams.size).to.equal(0);
    }
  });

  it('HTTP/2 interim responses are sent immediately, but no body is sent before the head', async () => {
    const peer = new Peer().open(request(1, true));
    const stream = streamOf(peer);
    stream.interim([':status', '103']);
    await turn();
    stream.write(Buffer.alloc(3));
    await turn();
    stream.interim([':status', '103']);
    await turn();
    expect(sent(peer)).to.deep.equal(['1 4 1', '1 4 1']);
    stream.respond(ok, false);
    await turn();
    expect(sent(peer).slice(2)).to.deep.equal(['1 4 1', '0 0 1 3']);
    expect(peer.requests[0]?.sent).to.equal(2);
  });

  it('an HTTP/2 stream ignores a second response head, and writes after the stream has ended', async () => {
    const peer = new Peer().open(request(1, false));
    const stream = streamOf(peer);
    stream.respond(ok, false);
    stream.respond([':status', '500'], true);
    stream.interim([':status', '103']);
    stream.write(Buffer.alloc(2));
    stream.end(null);
    stream.write(Buffer.alloc(2));
    stream.end(['x-a', '1']);
    await turn();
    stream.reset(2);
    stream.reset(3);
    stream.respond(ok, true);
    stream.write(Buffer.alloc(2));
    stream.end(null);
    await turn();
    expect(sent(peer)).to.deep.equal(['1 4 1', '0 1 1 2', '3 0 1']);
    expect(stream.queued).to.equal(0);
  });

  it('HTTP/2 bodies are split according to the frame size and both flow-control windows', async () => {
    const peer = new Peer().open(request(1, true));
    const stream = streamOf(peer);
    stream.respond(ok, false);
    stream.write(Buffer.alloc(65_535));
    stream.write(Buffer.alloc(65_535));
    stream.end(null);
    await turn();
    const sizes = (): number[] => peer.of(data).map(({ payload }) => payload.length);
    expect(sizes()).to.deep.equal([frameSize, frameSize, frameSize, frameSize - 1]);
    peer.send(frame(windowUpdate, 0, 1, number(10)));
    expect(sizes().length, 'the window of the connection').to.equal(4);
    peer.send(frame(windowUpdate, 0, 0, number(15)));
    expect(sizes().slice(4)).to.deep.equal([10]);
    peer.send(frame(windowUpdate, 0, 1, number(7)));
    expect(sizes().slice(5)).to.deep.equal([5]);
    peer.send(frame(windowUpdate, 0, 0, number(1)));
    expect(sizes().slice(6)).to.deep.equal([1]);
    expect([stream.sendWindow, peer.connection.outbound.window]).to.deep.equal([1, 0]);
  });

  it('HTTP/2 bodies are written in batches of about 64 KiB', () => {
    const peer = new Peer(({ stream }) => {
      stream.respond(ok, false);
      stream.write(Buffer.alloc(1_000_000));
    }).open(...windows(2_000_000), request(1, true));
    expect(peer.writes.every((size) => size <= enough + frameSize + 9)).to.equal(true);
    expect(peer.writes.slice(0, -1).every((size) => size >= enough)).to.equal(true);
    expect(peer.writes.length).to.be.within(13, 16);
  });

  it('the heads of many HTTP/2 streams are written in batches of about 64 KiB', () => {
    const value = 'v'.repeat(15_000);
    const peer = new Peer();
    peer.result = writeResult.copied;
    peer.open(...Array.from({ length: 10 }, (_, i) => request(2 * i + 1, true)));
    for (const { stream } of peer.requests) stream.respond([...ok, 'x-long', value], true);
    for (let i = 0; i < 9; i++) peer.connection.outbound.written();
    const heads = peer.writes.slice(-3, -1);
    expect(peer.of(headers).length).to.equal(10);
    expect(Math.max(...peer.writes)).to.be.within(enough, enough + frameSize);
    expect(heads.length).to.equal(2);
  });

  it('HTTP/2 field blocks larger than the whole buffer are written completely', () => {
    const fields = Array.from({ length: 20 }, (_, i) => [`x-${i}`, String(i % 10).repeat(15_000)]).flat();
    const peer = new Peer().open(request(1, true));
    peer.result = writeResult.copied;
    streamOf(peer).respond([...ok, ...fields], true);
    peer.connection.outbound.written();
    const blocks = peer.frames.filter(({ stream }) => stream === 1);
    const size = blocks.reduce((sum, { payload }) => sum + payload.length, 0);
    expect(size).to.be.above(100_000);
    const fieldsOf: string[] = [];
    const block = Buffer.concat(blocks.map(({ payload }) => payload));
    const sink = { field: (name: string, value: string) => void fieldsOf.push(name, value) };
    expect(new HpackDecoder().decode(block, 0, block.length, sink)).to.equal(true);
    expect(fieldsOf).to.deep.equal([...ok, ...fields]);
  });

  it('HTTP/2 control frames are sent before stream data, and a stream with a small window does not block other streams', () => {
    const peer = new Peer();
    peer.result = writeResult.copied;
    peer.open(initialWindow(10), request(1, true), request(3, true));
    for (const { stream } of peer.requests) {
      stream.respond(ok, false);
      stream.write(Buffer.alloc(25));
    }
    peer.send(frame(ping, 0, 0, Buffer.alloc(8)), frame(windowUpdate, 0, 3, number(3)));
    const before = peer.frames.length;
    peer.connection.outbound.written();
    expect(peer.frames.slice(before).map(({ type, stream, payload }) => [type, stream, payload.length])).to.deep.equal(
      [
        [4, 0, 0],
        [ping, 0, 8],
        [headers, 1, peer.of(headers)[0]?.payload.length],
        [data, 1, 10],
        [headers, 3, peer.of(headers)[1]?.payload.length],
        [data, 3, 13],
      ].slice(peer.frames[before]?.type === 4 ? 0 : 1),
    );
  });

  it('the owner of an HTTP/2 stream is notified each time all of its data has been sent, but not while data is waiting', async () => {
    const peer = new Peer().open(request(1, true), request(3, true));
    const [first, second] = peer.requests as [Recorder, Recorder];
    for (const { stream } of [first, second]) {
      stream.respond(ok, false);
      stream.write(Buffer.alloc(10));
      stream.write(Buffer.alloc(10));
    }
    first.onSent = () => {
      first.sent++;
      // Writes to another stream that is also empty. Its owner is notified when the data has been sent.
      if (first.sent === 1) second.stream.write(Buffer.alloc(5));
    };
    await turn();
    expect([first.sent, second.sent]).to.deep.equal([1, 1]);
    second.stream.write(Buffer.alloc(100_000));
    await turn();
    expect(second.sent).to.equal(1);
    peer.send(...windows(200_000));
    expect(second.sent).to.equal(2);
  });

  it('the owner of an HTTP/2 stream is notified after a head without a body is sent, even if the window is empty', async () => {
    const peer = new Peer().open(initialWindow(0), request(1, true));
    streamOf(peer).respond(ok, false);
    await turn();
    expect(peer.requests[0]?.sent).to.equal(1);
    streamOf(peer).write(Buffer.alloc(1));
    await turn();
    expect(peer.requests[0]?.sent).to.equal(1);
  });

  it('owners of closed HTTP/2 streams receive no further notifications', async () => {
    const peer = new Peer(({ stream }) => {
      stream.respond(ok, false);
      stream.write(Buffer.alloc(3));
      stream.end(null);
    }).open(request(1, true));
    await turn();
    expect([peer.requests[0]?.sent, peer.requests[0]?.closed]).to.deep.equal([0, 0]);
  });

  it('an exception in the callback of a stream owner resets only this HTTP/2 stream', async () => {
    const peer = new Peer().open(request(1, true), request(3, true));
    const first = peer.requests[0] as Recorder;
    first.onSent = () => {
      throw new Error('of an owner');
    };
    for (const { stream } of peer.requests) stream.respond(ok, false);
    await turn();
    expect(peer.of(reset).map(({ stream }) => stream)).to.deep.equal([1]);
    expect(peer.requests[1]?.sent).to.equal(1);
  });

  it('non-incremental HTTP/2 streams are sent one after the other, and incremental streams are interleaved (RFC 9218 §10)', () => {
    for (const [priority, order] of [
      ['u=3', [1, 3, 1, 1, 3, 3]],
      ['u=3, i', [1, 3, 1, 3, 1, 3]],
    ] as const) {
      const peer = new Peer();
      peer.result = writeResult.copied;
      peer.open(...windows(200_000), ...[1, 3].map((id) => request(id, true, [['priority', priority]])));
      for (const { stream } of peer.requests) {
        stream.respond(ok, false);
        stream.write(Buffer.alloc(3 * frameSize));
      }
      for (let i = 0; i < 5; i++) peer.connection.outbound.written();
      expect(peer.of(data).map(({ stream }) => stream)).to.deep.equal(order);
    }
  });

  it('flushing the HTTP/2 output writes nothing if no data is ready', async () => {
    const peer = new Peer().open(request(1, true));
    const before = peer.writes.length;
    peer.connection.outbound.flush();
    streamOf(peer).write(Buffer.alloc(3));
    await turn();
    expect(peer.writes.length).to.equal(before);
  });

  it('the HTTP/2 output is idle once the transport has accepted all sendable data', async () => {
    const peer = new Peer().open(initialWindow(0), request(1, true));
    const { outbound } = peer.connection;
    const stream = streamOf(peer);
    expect(outbound.idle).to.equal(true);
    stream.respond(ok, false);
    expect(outbound.idle, 'a head').to.equal(false);
    await turn();
    expect(outbound.idle).to.equal(true);
    stream.write(Buffer.alloc(3));
    expect(outbound.idle, 'a body without a window').to.equal(true);
    outbound.control(8, ping, 0, 0);
    expect(outbound.idle, 'a control frame').to.equal(false);
    peer.result = writeResult.copied;
    outbound.flush();
    expect(outbound.idle, 'a write').to.equal(false);
    outbound.written();
    expect(outbound.idle).to.equal(true);
  });

  it('the HTTP/2 output uses a new buffer only if the transport retains the old one', () => {
    const seen = (result: number): Set<Buffer> => {
      const buffers = new Set<Buffer>();
      const peer = new Peer();
      const write = peer.write.bind(peer);
      peer.write = (bytes, end) => {
        buffers.add(bytes);
        return write(bytes, end);
      };
      peer.result = result;
      peer.open();
      for (let i = 0; i < 4; i++) {
        peer.connection.outbound.written();
        peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
      }
      return buffers;
    };
    expect(seen(writeResult.copied).size).to.equal(1);
    expect(seen(writeResult.kept).size).to.be.greaterThan(3);
  });

  it('at most 16 KiB of HTTP/2 control frames are queued for a client that does not read', () => {
    const peer = new Peer();
    peer.result = writeResult.copied;
    peer.open();
    let pings = 0;
    for (; !peer.destroyed && pings < 5000; pings++) peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    // The SETTINGS acknowledgment was sent earlier.
    expect((pings - 2) * 17).to.be.within(16_384 - 17, 16_384 + 17);
    expect([peer.abuses.length, peer.connection.over]).to.deep.equal([1, true]);
  });

  it('an HTTP/2 connection closes its sending side exactly once, after all writes', async () => {
    const peer = new Peer().open(request(1, true));
    let ends = 0;
    peer.end = () => void ends++;
    peer.connection.finishShutdown();
    streamOf(peer).respond(ok, false);
    streamOf(peer).write(Buffer.alloc(10));
    peer.result = writeResult.copied;
    await turn();
    streamOf(peer).end(null);
    await turn();
    expect([ends, peer.connection.streams.size]).to.deep.equal([0, 1]);
    peer.connection.outbound.written();
    expect([ends, peer.connection.streams.size]).to.deep.equal([0, 0]);
    peer.connection.outbound.written();
    expect(ends).to.equal(1);
    peer.connection.outbound.flush();
    peer.connection.outbound.control(8, ping, 0, 0);
    await turn();
    expect([ends, peer.of(ping).length]).to.deep.equal([1, 0]);
  });

  it('the HTTP/2 output sends nothing on a lost connection', async () => {
    const peer = new Peer().open(request(1, true));
    const { stream } = peer.requests[0] as Recorder;
    stream.respond(ok, false);
    stream.write(Buffer.alloc(10));
    const before = peer.writes.length;
    peer.connection.lost();
    await turn();
    peer.connection.outbound.written();
    expect([peer.writes.length, peer.requests[0]?.closed, peer.ended]).to.deep.equal([before, 8, false]);
  });

  it('an exception in the transport closes the HTTP/2 connection', async () => {
    const peer = new Peer().open(request(1, true));
    peer.write = () => {
      throw new Error('of a transport');
    };
    streamOf(peer).respond(ok, true);
    await turn();
    expect(peer.destroyed).to.equal(true);
  });
});
