import { expect } from 'chai';
import { frame, literals, number, Peer, request, type Recorder } from './peer.ts';

const data = 0;
const reset = 3;
const goAway = 7;
const windowUpdate = 8;
const endStream = 1;
const padded = 8;

const windows = { stream: 1000, all: 70_000 };
const sized = (stream: number, length: string): Buffer => request(stream, false, [['content-length', length]]);
const resets = (peer: Peer): [stream: number, code: number][] =>
  peer.of(reset).map(({ stream, payload }) => [stream, payload.readUInt32BE()]);
const updates = (peer: Peer, id: number): number[] =>
  peer
    .of(windowUpdate)
    .filter(({ stream }) => stream === id)
    .map(({ payload }) => payload.readUInt32BE())
    .slice(id === 0 ? 1 : 0);

/** Opens a connection with stream 1. The stream's owner does not automatically return flow-control credit for received bytes. */
function opened(...frames: readonly Buffer[]): { peer: Peer; recorder: Recorder } {
  const peer = new Peer((recorder) => void (recorder.reads = false), windows);
  peer.open(...(frames.length > 0 ? frames : [request(1, false)]));
  return { peer, recorder: peer.requests[0] as Recorder };
}

const bodyOf = ({ body }: Recorder): string => Buffer.concat(body).toString();

describe('HTTP/2 request bodies', () => {
  it('HTTP/2 request bodies exclude padding, and end with the last DATA frame, which may be empty', () => {
    const { peer, recorder } = opened();
    peer.send(frame(data, padded, 1, Buffer.from('\x02ab\0\0')), frame(data, 0, 1, Buffer.from('cd')));
    expect([bodyOf(recorder), recorder.ended]).to.deep.equal(['abcd', false]);
    peer.send(frame(data, endStream, 1));
    expect([bodyOf(recorder), recorder.ended, recorder.body.length]).to.deep.equal(['abcd', true, 2]);
    const last = opened();
    last.peer.send(frame(data, endStream | padded, 1, Buffer.from('\x01x\0')));
    expect([bodyOf(last.recorder), last.recorder.ended]).to.deep.equal(['x', true]);
    expect(last.peer.connection.streams.size, 'it has not responded').to.equal(1);
  });

  it('HTTP/2 request bodies end with trailers, which may be empty', () => {
    const { peer, recorder } = opened();
    peer.send(frame(1, 5, 1, literals([['x-sum', '1']])));
    expect([recorder.ended, recorder.trailers?.get('x-sum')]).to.deep.equal([true, '1']);
    const without = opened();
    without.peer.send(frame(1, 5, 1));
    expect([without.recorder.ended, without.recorder.trailers]).to.deep.equal([true, null]);
  });

  it('an HTTP/2 connection rejects DATA and trailers after the end of a body (RFC 9113 §5.1)', () => {
    const { peer, recorder } = opened(request(1, true));
    peer.send(frame(data, 0, 1, Buffer.from('x')));
    expect([resets(peer), bodyOf(recorder), recorder.closed]).to.deep.equal([[[1, 5]], '', 5]);
    const trailers = opened(request(1, true));
    trailers.peer.send(frame(1, 5, 1, literals([['x-sum', '1']])));
    expect(resets(trailers.peer)).to.deep.equal([[1, 5]]);
  });

  it('malformed or oversized HTTP/2 trailers are rejected', () => {
    for (const fields of [
      [[':path', '/']],
      [
        ['x-a', 'a'.repeat(90)],
        ['x-b', 'b'.repeat(90)],
      ],
    ] as const) {
      const { peer } = opened();
      peer.fieldLimits = { bytes: 200, count: 10, kept: new Set() };
      peer.send(frame(1, 5, 1, literals(fields)));
      expect(resets(peer)).to.deep.equal([[1, 1]]);
    }
  });

  it('an HTTP/2 connection verifies the declared body length at the end of the body (RFC 9113 §8.1.1)', () => {
    const ends = [frame(data, endStream, 1), frame(1, 5, 1, literals([['x-sum', '1']]))];
    for (const end of ends)
      for (const [length, sent, code] of [
        ['5', 5, null],
        ['5', 4, 1],
        ['5', 6, 1],
        ['0', 0, null],
        ['0', 1, 1],
      ] as const) {
        const { peer, recorder } = opened(sized(1, length));
        peer.send(frame(data, 0, 1, Buffer.alloc(sent)));
        if (sent > Number(length)) expect(resets(peer), 'at once').to.deep.equal([[1, 1]]);
        if (recorder.closed === null) peer.send(end);
        expect([recorder.closed, recorder.ended], `${sent} of ${length}`).to.deep.equal([code, code === null]);
      }
    for (const [length, served] of [
      ['0', 1],
      ['1', 0],
    ] as const)
      expect(new Peer().open(request(1, true, [['content-length', length]])).requests.length).to.equal(served);
  });

  it('an HTTP/2 request body must not exceed the stream window, including padding (RFC 9113 §6.9.1)', () => {
    for (const [flags, payload, code] of [
      [0, Buffer.alloc(1000), null],
      [0, Buffer.alloc(1001), 3],
      [padded, Buffer.alloc(1000), null],
      [padded, Buffer.alloc(1001), 3],
    ] as const) {
      const { peer, recorder } = opened();
      peer.send(frame(data, flags, 1, payload));
      expect([recorder.closed, peer.connection.over], `${flags} ${payload.length}`).to.deep.equal([code, false]);
    }
  });

  it('an HTTP/2 request body must not exceed the connection window, and closing a stream returns its bytes to the window', () => {
    const peer = new Peer((recorder) => void (recorder.reads = false), { stream: 70_000, all: 70_000 });
    peer.open(request(1, false), request(3, false));
    for (let i = 0; i < 4; i++) peer.send(frame(data, 0, 1, Buffer.alloc(16_000)));
    peer.send(frame(data, 0, 3, Buffer.alloc(6000)));
    expect(peer.connection.over).to.equal(false);
    peer.send(frame(data, 0, 3, Buffer.alloc(1)));
    expect(peer.of(goAway).map(({ payload }) => payload.readUInt32BE(4))).to.deep.equal([3]);
  });

  it('an HTTP/2 stream window is updated after a quarter of it has been used, and a connection window after an eighth', () => {
    const { peer, recorder } = opened();
    const { stream } = recorder;
    const flush = (): Peer => peer.send(frame(6, 0, 0, Buffer.alloc(8)));
    peer.send(frame(data, 0, 1, Buffer.alloc(600)));
    stream.credit(249);
    flush();
    expect([updates(peer, 1), stream.receiveLeft]).to.deep.equal([[], 400]);
    stream.credit(1);
    flush();
    expect([updates(peer, 1), stream.receiveLeft]).to.deep.equal([[250], 650]);
    stream.credit(300);
    flush();
    expect([updates(peer, 1), updates(peer, 0), stream.receiveLeft]).to.deep.equal([[250, 300], [], 950]);
    const whole = new Peer(undefined, { stream: 70_000, all: 80_000 }).open(request(1, false));
    whole.send(frame(data, 0, 1, Buffer.alloc(9999)));
    expect(updates(whole, 0)).to.deep.equal([]);
    whole.send(frame(data, 0, 1, Buffer.alloc(1)));
    expect(updates(whole, 0)).to.deep.equal([10_000]);
    whole.send(frame(data, 0, 1, Buffer.alloc(10_000)));
    expect(updates(whole, 0)).to.deep.equal([10_000, 10_000]);
  });

  it('HTTP/2 padding and its length field are credited to the windows automatically', () => {
    const { peer } = opened();
    peer.send(frame(data, padded, 1, Buffer.concat([Buffer.from([250]), Buffer.alloc(253)])));
    expect(updates(peer, 1)).to.deep.equal([251]);
  });

  it('HTTP/2 stream windows are not updated for closed streams, or after the client has sent END_STREAM', () => {
    const { peer, recorder } = opened();
    peer.send(frame(data, endStream, 1, Buffer.alloc(900)));
    recorder.stream.credit(900);
    recorder.stream.reset(2);
    recorder.stream.credit(900);
    peer.send(frame(6, 0, 0, Buffer.alloc(8)));
    expect(updates(peer, 1)).to.deep.equal([]);
  });

  it('an HTTP/2 connection returns each byte to the window exactly once, even for rejected, late, or unknown data', () => {
    const uses: readonly ((peer: Peer, id: number) => void)[] = [
      (peer) => peer.requests.at(-1)?.stream.credit(1000),
      (peer) => peer.requests.at(-1)?.stream.reset(2),
      (peer, id) => void peer.send(frame(reset, 0, id, number(8))),
      (peer, id) => {
        peer.requests.at(-1)?.stream.credit(600);
        peer.send(frame(reset, 0, id, number(8)), frame(data, 0, id, Buffer.alloc(1)));
      },
      (peer, id) => void peer.send(frame(data, 0, id, Buffer.alloc(1))),
    ];
    for (const [i, use] of uses.entries()) {
      const { peer } = opened(request(1, false));
      let late = 0;
      for (let n = 1; n < 100; n++) {
        const id = 2 * n + 1;
        peer.send(request(id, false), frame(data, 0, id, Buffer.alloc(1000)));
        use(peer, id);
        peer.requests.at(-1)?.stream.reset(2);
        if (i >= 3) late++;
      }
      peer.send(frame(6, 0, 0, Buffer.alloc(8)));
      const given = updates(peer, 0).reduce((sum, size) => sum + size, 0);
      expect(99_000 + late - given, `use ${i}`).to.be.within(0, windows.all / 8);
      expect(peer.connection.over).to.equal(false);
    }
    const ownerless = new Peer(({ stream }) => void (stream.owner = null), windows).open(request(1, false));
    ownerless.send(frame(data, 0, 1, Buffer.alloc(900)), frame(data, endStream, 1));
    expect([updates(ownerless, 1), resets(ownerless)]).to.deep.equal([[900], []]);
  });

  it('HTTP/2 connection windows are also updated for single-byte frames', () => {
    const { peer } = opened();
    const count = windows.all / 8;
    for (let n = 1; n <= count; n++) {
      peer.send(request(2 * n + 1, false), frame(data, 0, 2 * n + 1, Buffer.alloc(1)));
      peer.requests.pop()?.stream.reset(0);
    }
    peer.send(frame(6, 0, 0, Buffer.alloc(8)));
    expect(updates(peer, 0)).to.deep.equal([count]);
  });

  it('the end of an HTTP/2 request body closes the stream if the response was already sent', async () => {
    const { peer, recorder } = opened();
    recorder.stream.respond([':status', '200'], true);
    await new Promise(setImmediate);
    expect(recorder.closed).to.equal(null);
    peer.send(frame(data, endStream, 1, Buffer.from('x')));
    expect([recorder.closed, recorder.ended, peer.connection.streams.size]).to.deep.equal([0, true, 0]);
  });

  it('an HTTP/2 stream closes only once if its owner closes it while handling the last frame', () => {
    const { peer, recorder } = opened();
    recorder.onData = () => recorder.stream.reset(8);
    peer.send(frame(data, endStream, 1, Buffer.from('x')));
    expect([recorder.closed, recorder.ended, resets(peer)]).to.deep.equal([8, false, [[1, 8]]]);
  });

  it('an HTTP/2 stream is reset if its owner throws at the end of the body', () => {
    const { peer, recorder } = opened();
    recorder.onEnd = () => {
      throw new Error('of an owner');
    };
    peer.send(frame(data, endStream, 1, Buffer.from('x')), request(3, true));
    expect([resets(peer), peer.requests.length]).to.deep.equal([[[1, 2]], 2]);
  });
});
