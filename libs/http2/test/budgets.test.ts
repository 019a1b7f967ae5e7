import { expect } from 'chai';
import { frame, number, Peer, request, type Recorder } from './peer.ts';

const data = 0;
const reset = 3;
const ping = 6;
const windowUpdate = 8;
const frameSize = 16_384;

const initialWindow = (size: number): Buffer => frame(4, 0, 0, Buffer.from([0, 4, ...number(size)]));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('HTTP/2 budgets of a client', () => {
  it('HTTP/2 client budgets allow a large download with small windows and frequent pings', async () => {
    const peer = new Peer().open(request(1, true));
    const { stream } = peer.requests[0] as Recorder;
    stream.respond([':status', '200'], false);
    const piece = Buffer.alloc(frameSize);
    for (let i = 0; i < 1500; i++) {
      stream.write(piece);
      await turn();
      for (let given = 0; given < frameSize; given += 4096)
        peer.send(frame(windowUpdate, 0, 1, number(4096)), frame(windowUpdate, 0, 0, number(4096)));
      peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    }
    expect([peer.abuses, peer.connection.over]).to.deep.equal([[], false]);
    expect(peer.of(data).length).to.equal(1500);
  });

  it('HTTP/2 client budgets allow an upload that arrives byte by byte', () => {
    const peer = new Peer().open(request(1, false));
    for (let i = 0; i < 12_000; i++) peer.send(frame(data, 0, 1, Buffer.from('x')));
    expect([peer.abuses, peer.requests[0]?.body.length]).to.deep.equal([[], 12_000]);
  });

  it('HTTP/2 client budgets allow a PING for each small message', async () => {
    const peer = new Peer().open(request(1, true));
    const { stream } = peer.requests[0] as Recorder;
    stream.respond([':status', '200'], false);
    for (let i = 0; i < 10_600; i++) {
      stream.write(Buffer.from('x'));
      await turn();
      peer.send(frame(ping, 0, 0, Buffer.alloc(8)));
    }
    expect(peer.abuses).to.deep.equal([]);
  });

  it('HTTP/2 client budgets close a connection that downloads a body byte by byte', () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(60_000));
    }).open(initialWindow(0), request(1, true));
    for (let i = 0; i < 15_000 && !peer.connection.over; i++) peer.send(frame(windowUpdate, 0, 1, number(1)));
    expect([peer.abuses.length, peer.connection.over]).to.deep.equal([1, true]);
  });

  it('HTTP/2 client budgets close a connection that keeps sending requests during shutdown', () => {
    const peer = new Peer().open(request(1, true));
    peer.connection.finishShutdown();
    for (let i = 1; i < 15_000 && !peer.connection.over; i++) peer.send(request(2 * i + 1, true));
    expect([peer.abuses.length, peer.requests.length]).to.deep.equal([1, 1]);
  });
});

describe('HTTP/2 streams that are closed while waiting', () => {
  for (const [how, close] of [
    ['the client', (peer: Peer) => void peer.send(frame(reset, 0, 3, number(8)))],
    ['the handler', (peer: Peer) => peer.requests[1]?.stream.reset(2)],
  ] as const)
    it(`a connection with an exhausted window can still end if its waiting stream was closed by ${how}`, async () => {
      const peer = new Peer(({ stream }) => {
        stream.respond([':status', '200'], false);
        stream.write(Buffer.alloc(65_535));
        stream.end(null);
      }).open(request(1, true));
      peer.send(request(3, true));
      await turn();
      peer.connection.finishShutdown();
      expect(peer.ended).to.equal(false);
      close(peer);
      await turn();
      expect([peer.connection.streams.size, peer.ended]).to.deep.equal([0, true]);
    });

  it('closed HTTP/2 streams do not change the order of other streams', async () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(stream.id === 1 ? 65_535 : 100));
      stream.end(null);
    }).open(request(1, true));
    for (const id of [3, 5, 7, 9, 11]) peer.send(request(id, true));
    for (const id of [3, 7, 11]) peer.send(frame(reset, 0, id, number(8)));
    peer.send(request(13, true)).send(frame(windowUpdate, 0, 0, number(1000)));
    await turn();
    const order = peer.of(data).map(({ stream }) => stream);
    expect(order.filter((id) => id > 1)).to.deep.equal([5, 9, 13]);
  });
});
