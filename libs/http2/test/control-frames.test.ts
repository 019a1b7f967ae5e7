import { expect } from 'chai';
import { frame, number, Peer, request, type Recorder } from './peer.ts';

const data = 0;
const headers = 1;
const priority = 2;
const reset = 3;
const settings = 4;
const push = 5;
const ping = 6;
const goAway = 7;
const windowUpdate = 8;
const priorityUpdate = 0x10;
const ack = 1;
const maxWindow = 0x7fffffff;

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const setting = (...list: readonly (readonly [id: number, value: number])[]): Buffer =>
  frame(settings, 0, 0, Buffer.concat(list.flatMap(([id, value]) => [Buffer.from([0, id]), number(value)])));

/** Returns the reaction of the server to frames. Stream 1 is open, and the client has closed its side of stream 3. */
function verdict(...frames: readonly Buffer[]): string {
  const peer = new Peer().open(request(1, false), request(3, false), frame(reset, 0, 3, number(8)));
  const before = peer.frames.length;
  peer.send(...frames);
  return peer.frames
    .slice(before)
    .map(({ type, flags, stream, payload }) => {
      if (type === goAway) return `goaway ${payload.readUInt32BE(4)}`;
      if (type === reset) return `reset ${stream} ${payload.readUInt32BE()}`;
      return `${type} ${flags} ${stream} ${payload.toString('hex')}`.trim();
    })
    .join(', ');
}

const acknowledged = `${settings} ${ack} 0`;

describe('HTTP/2 connection-level frames', () => {
  for (const [what, frames, said] of [
    ['a window of the connection', [frame(windowUpdate, 0, 0, number(1))], ''],
    ['a window with the reserved bit', [frame(windowUpdate, 0, 0, number(0x80000001))], ''],
    ['a window of a stream', [frame(windowUpdate, 0, 1, number(1))], ''],
    ['a window of a stream that is closed', [frame(windowUpdate, 0, 3, number(1))], ''],
    ['a window of a stream that was not begun', [frame(windowUpdate, 0, 5, number(1))], 'goaway 1'],
    ['a window of 3 bytes', [frame(windowUpdate, 0, 0, hex('000001'))], 'goaway 6'],
    ['a window of 5 bytes', [frame(windowUpdate, 0, 1, hex('0000000001'))], 'goaway 6'],
    ['nothing for the connection', [frame(windowUpdate, 0, 0, number(0))], 'goaway 1'],
    ['nothing for a stream', [frame(windowUpdate, 0, 1, number(0))], 'reset 1 1'],
    ['nothing, and the reserved bit', [frame(windowUpdate, 0, 1, number(0x80000000))], 'reset 1 1'],
    ['the largest window of the connection', [frame(windowUpdate, 0, 0, number(maxWindow - 65_535))], ''],
    ['a larger window of the connection', [frame(windowUpdate, 0, 0, number(maxWindow - 65_534))], 'goaway 3'],
    ['the largest window of a stream', [frame(windowUpdate, 0, 1, number(maxWindow - 65_535))], ''],
    ['a larger window of a stream', [frame(windowUpdate, 0, 1, number(maxWindow - 65_534))], 'reset 1 3'],

    ['settings', [setting()], acknowledged],
    ['settings on a stream', [frame(settings, 0, 1)], 'goaway 1'],
    ['an acknowledgement', [frame(settings, ack, 0)], ''],
    ['an acknowledgement with settings', [frame(settings, ack, 0, hex('000300000001'))], 'goaway 6'],
    ['settings of 5 bytes', [frame(settings, 0, 0, hex('0003000000'))], 'goaway 6'],
    ['settings of 7 bytes', [frame(settings, 0, 0, hex('00030000000100'))], 'goaway 6'],
    ['push of 0 and 1', [setting([2, 0], [2, 1])], acknowledged],
    ['push of 2', [setting([2, 2])], 'goaway 1'],
    ['push of 2 after others', [setting([3, 1], [2, 2])], 'goaway 1'],
    ['extended CONNECT of 1', [setting([8, 1])], acknowledged],
    ['extended CONNECT of 2', [setting([8, 2])], 'goaway 1'],
    ['the largest initial window', [setting([4, maxWindow])], acknowledged],
    ['a larger initial window', [setting([4, maxWindow + 1])], 'goaway 3'],
    ['the smallest and the largest frame', [setting([5, 16_384], [5, 16_777_215])], acknowledged],
    ['a smaller frame', [setting([5, 16_383])], 'goaway 1'],
    ['a larger frame', [setting([5, 16_777_216])], 'goaway 1'],
    ['settings that are not known', [setting([0xff, 2 ** 32 - 1], [6, 0])], acknowledged],
    ['a setting that differs in its first byte', [frame(settings, 0, 0, hex('010480000000'))], acknowledged],
    [
      'an initial window that makes that of a stream too large',
      [frame(windowUpdate, 0, 1, number(1)), setting([4, maxWindow])],
      'goaway 3',
    ],
    [
      'an initial window that makes that of a stream the largest',
      [frame(windowUpdate, 0, 1, number(1)), setting([4, maxWindow - 1])],
      acknowledged,
    ],

    ['a PING', [frame(ping, 0, 0, hex('0102030405060708'))], `${ping} ${ack} 0 0102030405060708`],
    ['a PING of great numbers', [frame(ping, 0, 0, hex('fffefdfcfbfaf9f8'))], `${ping} ${ack} 0 fffefdfcfbfaf9f8`],
    ['what was not asked for by a PING', [frame(ping, ack, 0, Buffer.alloc(8))], ''],
    ['a PING on a stream', [frame(ping, 0, 1, Buffer.alloc(8))], 'goaway 1'],
    ['a PING of 7 bytes', [frame(ping, 0, 0, Buffer.alloc(7))], 'goaway 6'],
    ['a PING of 9 bytes', [frame(ping, 0, 0, Buffer.alloc(9))], 'goaway 6'],

    ['a priority', [frame(priority, 0, 1, hex('0000000310'))], ''],
    ['a priority of the connection', [frame(priority, 0, 0, hex('0000000310'))], 'goaway 1'],
    ['a priority of 4 bytes', [frame(priority, 0, 1, hex('00000003'))], 'reset 1 6'],
    ['a priority of 6 bytes', [frame(priority, 0, 1, hex('000000031000'))], 'reset 1 6'],
    ['a priority after itself', [frame(priority, 0, 1, hex('0000000110'))], 'reset 1 1'],
    ['a priority after itself alone', [frame(priority, 0, 1, hex('8000000110'))], 'reset 1 1'],
    ['a priority of 1 byte for a stream that is closed', [frame(priority, 0, 3, hex('00'))], 'goaway 6'],
    ['a wrong priority of a stream that was not begun', [frame(priority, 0, 5, hex('00'))], 'goaway 6'],
    ['a priority of such a stream after itself', [frame(priority, 0, 5, hex('0000000510'))], 'goaway 1'],

    ['a priority update', [frame(priorityUpdate, 0, 0, hex('00000001'))], ''],
    ['a priority update of a stream that is not open', [frame(priorityUpdate, 0, 0, hex('00000009'))], ''],
    ['a priority update on a stream', [frame(priorityUpdate, 0, 1, hex('00000001'))], 'goaway 1'],
    ['a priority update of 3 bytes', [frame(priorityUpdate, 0, 0, hex('000001'))], 'goaway 6'],

    ['a promise', [frame(push, 4, 1, hex('00000002'))], 'goaway 1'],
    ['a type that is not known', [frame(0x16, 0xff, 9, hex('00'))], ''],
    ['GOAWAY on a stream', [frame(goAway, 0, 1, Buffer.alloc(8))], 'goaway 1'],
    ['GOAWAY of 7 bytes', [frame(goAway, 0, 0, Buffer.alloc(7))], 'goaway 6'],
    ['GOAWAY', [frame(goAway, 0, 0, Buffer.alloc(8))], 'goaway 0'],
    ['GOAWAY with a reason', [frame(goAway, 0, 0, Buffer.alloc(20))], 'goaway 0'],

    ['a reset', [frame(reset, 0, 1, number(8))], ''],
    ['a reset of a stream that is closed', [frame(reset, 0, 3, number(8))], ''],
    ['a reset of a stream that was not begun', [frame(reset, 0, 5, number(8))], 'goaway 1'],
    ['a reset of the connection', [frame(reset, 0, 0, number(8))], 'goaway 1'],
    ['a reset of 3 bytes', [frame(reset, 0, 1, hex('000008'))], 'goaway 6'],
    ['a reset of 5 bytes', [frame(reset, 0, 1, hex('0000000800'))], 'goaway 6'],

    ['data of the connection', [frame(data, 0, 0, hex('00'))], 'goaway 1'],
    ['data of a stream that was not begun', [frame(data, 0, 5, hex('00'))], 'goaway 1'],
    ['data of a stream that is closed', [frame(data, 0, 3, hex('00'))], 'reset 3 5'],
    ['padding without its length', [frame(data, 8, 1)], 'goaway 6'],
    ['padding that is longer than the frame', [frame(data, 8, 1, hex('020000').subarray(0, 2))], 'goaway 1'],
    ['padding that is all of the frame', [frame(data, 8, 1, hex('020000'))], ''],

    ['HEADERS of a stream that is closed', [request(3, true)], 'goaway 5'],
    ['HEADERS within a body that do not end it', [frame(headers, 4, 1, hex('00016101'.concat('62')))], 'reset 1 1'],
    ['CONTINUATION of no block', [frame(9, 4, 1)], 'goaway 1'],
    ['another frame within a block', [frame(headers, 1, 5, hex('82')), frame(ping, 0, 0, Buffer.alloc(8))], 'goaway 1'],
    ['CONTINUATION of another stream', [frame(headers, 1, 5, hex('82')), frame(9, 4, 1)], 'goaway 1'],
    ['a block that is not HPACK', [frame(headers, 5, 5, hex('80'))], 'goaway 9'],
  ] as const)
    it(`the HTTP/2 server responds with ${said === '' ? 'nothing' : said} to ${what}`, () => {
      expect(verdict(...frames)).to.equal(said);
    });

  it('HTTP/2 frames before SETTINGS are rejected (RFC 9113 §3.4)', () => {
    for (const first of [frame(ping, 0, 0, Buffer.alloc(8)), request(1, true), frame(settings, ack, 0)]) {
      const peer = new Peer();
      peer.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), first, request(3, true));
      expect(peer.of(goAway).map(({ payload }) => payload.readUInt32BE(4))).to.deep.equal([1]);
      expect(peer.requests).to.deep.equal([]);
    }
  });

  it('PRIORITY_UPDATE changes the priority of an open stream (RFC 9218 §7.1), but only the first 64 characters are used', () => {
    const peer = new Peer().open(request(1, true));
    const { stream } = peer.requests[0] as Recorder;
    const update = (value: string, id = 1): Peer =>
      peer.send(frame(priorityUpdate, 0, 0, Buffer.concat([number(id), Buffer.from(value)])));
    update('u=1');
    expect([stream.urgency, stream.incremental]).to.deep.equal([1, false]);
    update('u=2, i', 0x80000001);
    expect([stream.urgency, stream.incremental]).to.deep.equal([2, true]);
    update(`${'x'.repeat(60)},u=6`);
    expect(stream.urgency).to.equal(6);
    update(`${'x'.repeat(61)},u=6`);
    expect(stream.urgency).to.equal(3);
  });

  it('the HTTP/2 server sends SETTINGS first (RFC 9113 §3.4)', () => {
    const peer = new Peer(undefined, { stream: 0x123456, all: 0x1234567 });
    peer.open();
    const [first, second] = peer.frames;
    expect([first?.type, first?.flags, first?.stream]).to.deep.equal([settings, 0, 0]);
    expect(first?.payload.toString('hex').match(/.{12}/g)).to.deep.equal([
      '00030000000a',
      '000400123456',
      '000600004000',
      '000800000001',
      '000900000001',
    ]);
    expect([second?.type, second?.stream, second?.payload.readUInt32BE()]).to.deep.equal([
      windowUpdate,
      0,
      0x1234567 - 65_535,
    ]);
  });

  it('a new initial window size applies to new HTTP/2 streams and adjusts open streams', () => {
    const peer = new Peer().open(request(1, true), setting([4, 100], [4, 70]), request(3, true), setting([4, 90]));
    expect(peer.requests.map(({ stream }) => stream.sendWindow)).to.deep.equal([90, 90]);
    peer.send(setting([4, 91]));
    expect(peer.requests.map(({ stream }) => stream.sendWindow)).to.deep.equal([91, 91]);
    peer.send(frame(windowUpdate, 0, 1, number(5)), setting([4, 0]));
    expect(peer.requests.map(({ stream }) => stream.sendWindow)).to.deep.equal([5, 0]);
  });

  it('a larger initial window size releases blocked HTTP/2 data', () => {
    const peer = new Peer(({ stream }) => {
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(50));
    }).open(setting([4, 0]), request(1, true));
    expect(peer.of(data)).to.deep.equal([]);
    peer.send(setting([4, 50]));
    expect(peer.of(data).map(({ payload }) => payload.length)).to.deep.equal([50]);
  });
});
