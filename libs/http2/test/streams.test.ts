import { expect } from 'chai';
import { writeResult } from '@sluice/http2';
import { frame, number, Peer, request, usual, literals, type Recorder } from './peer.ts';

const data = 0;
const headers = 1;
const reset = 3;
const ping = 6;
const goAway = 7;
const endStream = 1;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codes = (peer: Peer): [stream: number, code: number][] =>
  peer.of(reset).map(({ stream, payload }) => [stream, payload.readUInt32BE()]);
const endings = (peer: Peer): [last: number, code: number][] =>
  peer.of(goAway).map(({ payload }) => [payload.readUInt32BE(), payload.readUInt32BE(4)]);
const hello = ({ stream }: Recorder): void => stream.respond([':status', '200'], true);

describe('HTTP/2 streams on a server', () => {
  it('an HTTP/2 stream begins with a head in one or several frames', () => {
    const block = literals(usual);
    const peer = new Peer().open(
      frame(headers, endStream, 1, block.subarray(0, 5)),
      frame(9, 0, 1, block.subarray(5, 9)),
      frame(9, 4, 1, block.subarray(9)),
      request(3, false),
    );
    expect(peer.requests.map(({ fields, stream }) => [fields.path, stream.id, stream.remoteEnded])).to.deep.equal([
      ['/', 1, true],
      ['/', 3, false],
    ]);
  });

  it('an HTTP/2 stream uses the priority in its head', () => {
    const peer = new Peer().open(request(1, true), request(3, true, [['priority', 'u=1']]));
    expect(peer.requests.map(({ stream }) => [stream.urgency, stream.incremental])).to.deep.equal([
      [3, true],
      [1, false],
    ]);
  });

  it('HTTP/2 streams above the advertised limit are refused without affecting other streams', () => {
    const peer = new Peer().open(...Array.from({ length: 11 }, (_, i) => request(2 * i + 1, true)));
    expect([peer.requests.length, codes(peer)]).to.deep.equal([10, [[21, 7]]]);
    hello(peer.requests[0] as Recorder);
    peer.connection.outbound.flush();
    peer.send(request(23, true));
    expect([peer.requests.length, codes(peer).length]).to.deep.equal([11, 1]);
  });

  it('an HTTP/2 stream with an invalid request is reset, and its frames in flight are ignored', () => {
    const without = literals(usual.filter(([name]) => name !== ':path'));
    const peer = new Peer().open(frame(headers, 4, 1, without), frame(data, endStream, 1, Buffer.from('x')));
    expect([peer.requests.length, codes(peer), peer.connection.over]).to.deep.equal([0, [[1, 1]], false]);
    peer.send(frame(headers, 5, 1, literals([['x-a', '1']])));
    expect([codes(peer).length, peer.connection.over]).to.deep.equal([1, false]);
  });

  it('HTTP/2 DATA frames that arrive after the client has closed the stream are reported once', () => {
    const peer = new Peer().open(request(1, false), frame(reset, 0, 1, number(8)), frame(data, 0, 1, Buffer.from('x')));
    expect(codes(peer)).to.deep.equal([[1, 5]]);
    peer.requests[0]?.stream.reset(2);
    peer.send(request(3, false));
    peer.requests[1]?.stream.reset(2);
    peer.send(frame(data, 0, 3, Buffer.from('x')));
    expect(codes(peer)).to.deep.equal([
      [1, 5],
      [3, 2],
    ]);
  });

  it('an HTTP/2 stream closes with the error code from the client, or as canceled if the connection is lost', () => {
    const peer = new Peer().open(request(1, false), request(3, false), frame(reset, 0, 1, number(0x89_ab_cd_ef)));
    expect(peer.requests.map(({ closed }) => closed)).to.deep.equal([0x89_ab_cd_ef, null]);
    peer.connection.lost();
    expect(peer.requests.map(({ closed }) => closed)).to.deep.equal([0x89_ab_cd_ef, 8]);
    peer.send(request(5, true));
    peer.requests[1]?.stream.reset(2);
    peer.connection.shutdown();
    peer.connection.finishShutdown();
    peer.connection.outbound.flush();
    expect([peer.requests.length, codes(peer), endings(peer)]).to.deep.equal([2, [], []]);
  });

  it('the HTTP/2 handler is notified of each closed stream', () => {
    const peer = new Peer(hello);
    let closed = 0;
    peer.onStreamClosed = () => void closed++;
    peer.open(request(1, true), request(3, false), request(5, false), frame(reset, 0, 5, number(8)));
    expect(closed).to.equal(2);
    peer.connection.lost();
    expect(closed).to.equal(3);
  });

  it('stopping an HTTP/2 request body asks the client to stop sending, but not before the response has ended', async () => {
    for (const isEarly of [true, false]) {
      const peer = new Peer().open(request(1, false));
      const recorder = peer.requests[0] as Recorder;
      if (isEarly) recorder.stream.stop();
      expect(recorder.stream.stopping).to.equal(isEarly);
      hello(recorder);
      await turn();
      expect(recorder.closed).to.equal(isEarly ? 0 : null);
      recorder.stream.stop();
      await turn();
      expect([recorder.closed, codes(peer)]).to.deep.equal([0, [[1, 0]]]);
    }
    const whole = new Peer().open(request(1, true));
    whole.requests[0]?.stream.stop();
    hello(whole.requests[0] as Recorder);
    await turn();
    expect([whole.requests[0]?.closed, codes(whole)]).to.deep.equal([0, []]);
  });

  it('an exception in the HTTP/2 handler ends the connection and is passed to the handler', () => {
    const peer = new Peer(() => {
      throw new Error('of a handler');
    }).open(request(1, true));
    expect([peer.faults, peer.connection.over, peer.connection.streams.size]).to.deep.equal([1, true, 0]);
  });

  it('an HTTP/2 connection continues if a stream owner throws in onClose', () => {
    const peer = new Peer().open(request(1, false), request(3, false));
    (peer.requests[0] as Recorder).onClose = () => {
      throw new Error('of an owner');
    };
    peer.send(frame(reset, 0, 1, number(8)));
    expect([peer.connection.over, peer.connection.streams.size]).to.deep.equal([false, 1]);
  });
});

describe('HTTP/2 connections that are closing', () => {
  it('an HTTP/2 connection error reports the last stream and the error code, and closes all streams', () => {
    const peer = new Peer().open(request(1, false), request(7, false), frame(ping, 0, 1, Buffer.alloc(8)));
    expect(endings(peer)).to.deep.equal([[7, 1]]);
    expect([peer.ended, peer.endings, peer.connection.over]).to.deep.equal([true, 1, true]);
    expect(peer.requests.map(({ closed }) => closed)).to.deep.equal([8, 8]);
    peer.send(request(9, true), frame(ping, 0, 1, Buffer.alloc(8)));
    expect([endings(peer).length, peer.requests.length, peer.endings]).to.deep.equal([1, 2, 1]);
  });

  it('HTTP/2 requests that follow an error in the same read are not served', () => {
    const peer = new Peer().open(frame(ping, 0, 1, Buffer.alloc(8)), request(1, true));
    expect(peer.requests).to.deep.equal([]);
  });

  it('an HTTP/2 shutdown first sends GOAWAY with the highest stream ID and no PING, because some clients fail on PING (RFC 9113 §6.8)', () => {
    const peer = new Peer().open(request(1, false));
    peer.send(frame(ping, 1, 0, Buffer.alloc(8)));
    expect(endings(peer), 'it has not asked').to.deep.equal([]);
    peer.connection.shutdown();
    peer.connection.shutdown();
    peer.connection.outbound.flush();
    expect([endings(peer), peer.of(ping)]).to.deep.equal([[[0x7fffffff, 0]], []]);
    peer.send(request(3, false), frame(ping, 1, 0, Buffer.alloc(8)));
    expect([endings(peer).length, peer.requests.length, peer.ended]).to.deep.equal([1, 2, false]);
    peer.connection.finishShutdown();
    peer.connection.outbound.flush();
    peer.send(request(5, true));
    expect([endings(peer)[1], peer.requests.length, peer.ended]).to.deep.equal([[3, 0], 2, false]);
    peer.connection.finishShutdown();
    peer.connection.shutdown();
    peer.send(frame(reset, 0, 1, number(8)));
    expect([endings(peer).length, peer.ended]).to.deep.equal([2, false]);
    peer.send(frame(reset, 0, 3, number(8)));
    expect(peer.ended).to.equal(true);
  });

  it('an HTTP/2 connection without open streams ends immediately on shutdown', async () => {
    const peer = new Peer().open();
    peer.connection.finishShutdown();
    await turn();
    expect([endings(peer), peer.ended]).to.deep.equal([[[0, 0]], true]);
    peer.connection.shutdown();
    await turn();
    expect(endings(peer).length).to.equal(1);
  });

  it('an HTTP/2 connection ends after its open streams have completed if the client sends GOAWAY', () => {
    const peer = new Peer().open(request(1, false), frame(goAway, 0, 0, Buffer.alloc(8)));
    expect([peer.ended, endings(peer)]).to.deep.equal([false, [[1, 0]]]);
    peer.send(frame(reset, 0, 1, number(8)));
    expect(peer.ended).to.equal(true);
  });

  it('an HTTP/2 connection decodes field blocks of refused streams, because these blocks update the table (RFC 9113 §4.3)', () => {
    const peer = new Peer().open(request(1, false));
    peer.connection.finishShutdown();
    const entry = Buffer.from('\x40\x03x-a\x01b');
    peer.send(frame(headers, 5, 3, Buffer.concat([literals(usual), entry])));
    expect([peer.requests.length, codes(peer)]).to.deep.equal([1, []]);
    peer.send(frame(headers, 5, 1, Buffer.from([0x80 + 62])));
    expect(peer.requests[0]?.trailers?.get('x-a')).to.equal('b');
  });

  it('an HTTP/2 connection whose client does not read control frames is destroyed without sending further frames', () => {
    const peer = new Peer().open(request(1, false));
    peer.result = writeResult.copied;
    for (let i = 0; i < 2000; i++) peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    expect([peer.destroyed, peer.abuses.length, peer.requests[0]?.closed]).to.deep.equal([true, 1, 8]);
    const before = peer.writes.length;
    peer.connection.outbound.written();
    expect([peer.writes.length, peer.endings]).to.deep.equal([before, 0]);
  });
});
