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
    ['WINDOW_UPDATE on the connection', [frame(windowUpdate, 0, 0, number(1))], ''],
    ['WINDOW_UPDATE with the reserved bit', [frame(windowUpdate, 0, 0, number(0x80000001))], ''],
    ['WINDOW_UPDATE on a stream', [frame(windowUpdate, 0, 1, number(1))], ''],
    ['WINDOW_UPDATE on a closed stream', [frame(windowUpdate, 0, 3, number(1))], ''],
    ['WINDOW_UPDATE on an idle stream', [frame(windowUpdate, 0, 5, number(1))], 'goaway 1'],
    ['WINDOW_UPDATE of 3 bytes', [frame(windowUpdate, 0, 0, hex('000001'))], 'goaway 6'],
    ['WINDOW_UPDATE of 5 bytes', [frame(windowUpdate, 0, 1, hex('0000000001'))], 'goaway 6'],
    ['a zero WINDOW_UPDATE on the connection', [frame(windowUpdate, 0, 0, number(0))], 'goaway 1'],
    ['a zero WINDOW_UPDATE on a stream', [frame(windowUpdate, 0, 1, number(0))], 'reset 1 1'],
    ['a zero WINDOW_UPDATE with the reserved bit', [frame(windowUpdate, 0, 1, number(0x80000000))], 'reset 1 1'],
    ['WINDOW_UPDATE up to the maximum connection window', [frame(windowUpdate, 0, 0, number(maxWindow - 65_535))], ''],
    [
      'WINDOW_UPDATE above the maximum connection window',
      [frame(windowUpdate, 0, 0, number(maxWindow - 65_534))],
      'goaway 3',
    ],
    ['WINDOW_UPDATE up to the maximum stream window', [frame(windowUpdate, 0, 1, number(maxWindow - 65_535))], ''],
    [
      'WINDOW_UPDATE above the maximum stream window',
      [frame(windowUpdate, 0, 1, number(maxWindow - 65_534))],
      'reset 1 3',
    ],

    ['SETTINGS', [setting()], acknowledged],
    ['SETTINGS on a stream', [frame(settings, 0, 1)], 'goaway 1'],
    ['a SETTINGS acknowledgment', [frame(settings, ack, 0)], ''],
    ['a SETTINGS acknowledgment with a payload', [frame(settings, ack, 0, hex('000300000001'))], 'goaway 6'],
    ['SETTINGS of 5 bytes', [frame(settings, 0, 0, hex('0003000000'))], 'goaway 6'],
    ['SETTINGS of 7 bytes', [frame(settings, 0, 0, hex('00030000000100'))], 'goaway 6'],
    ['ENABLE_PUSH of 0 and 1', [setting([2, 0], [2, 1])], acknowledged],
    ['ENABLE_PUSH of 2', [setting([2, 2])], 'goaway 1'],
    ['ENABLE_PUSH of 2 after other settings', [setting([3, 1], [2, 2])], 'goaway 1'],
    ['ENABLE_CONNECT_PROTOCOL of 1', [setting([8, 1])], acknowledged],
    ['ENABLE_CONNECT_PROTOCOL of 2', [setting([8, 2])], 'goaway 1'],
    ['the maximum INITIAL_WINDOW_SIZE', [setting([4, maxWindow])], acknowledged],
    ['INITIAL_WINDOW_SIZE above the maximum', [setting([4, maxWindow + 1])], 'goaway 3'],
    ['the minimum and the maximum MAX_FRAME_SIZE', [setting([5, 16_384], [5, 16_777_215])], acknowledged],
    ['MAX_FRAME_SIZE below the minimum', [setting([5, 16_383])], 'goaway 1'],
    ['MAX_FRAME_SIZE above the maximum', [setting([5, 16_777_216])], 'goaway 1'],
    ['unknown settings', [setting([0xff, 2 ** 32 - 1], [6, 0])], acknowledged],
    [
      'a setting ID that differs from a known one in its first byte',
      [frame(settings, 0, 0, hex('010480000000'))],
      acknowledged,
    ],
    [
      'INITIAL_WINDOW_SIZE that makes a stream window too large',
      [frame(windowUpdate, 0, 1, number(1)), setting([4, maxWindow])],
      'goaway 3',
    ],
    [
      'INITIAL_WINDOW_SIZE that makes a stream window reach the maximum',
      [frame(windowUpdate, 0, 1, number(1)), setting([4, maxWindow - 1])],
      acknowledged,
    ],

    ['a PING', [frame(ping, 0, 0, hex('0102030405060708'))], `${ping} ${ack} 0 0102030405060708`],
    ['a PING with high byte values', [frame(ping, 0, 0, hex('fffefdfcfbfaf9f8'))], `${ping} ${ack} 0 fffefdfcfbfaf9f8`],
    ['an unsolicited PING acknowledgment', [frame(ping, ack, 0, Buffer.alloc(8))], ''],
    ['a PING on a stream', [frame(ping, 0, 1, Buffer.alloc(8))], 'goaway 1'],
    ['a PING of 7 bytes', [frame(ping, 0, 0, Buffer.alloc(7))], 'goaway 6'],
    ['a PING of 9 bytes', [frame(ping, 0, 0, Buffer.alloc(9))], 'goaway 6'],

    ['PRIORITY', [frame(priority, 0, 1, hex('0000000310'))], ''],
    ['PRIORITY on the connection', [frame(priority, 0, 0, hex('0000000310'))], 'goaway 1'],
    ['PRIORITY of 4 bytes', [frame(priority, 0, 1, hex('00000003'))], 'reset 1 6'],
    ['PRIORITY of 6 bytes', [frame(priority, 0, 1, hex('000000031000'))], 'reset 1 6'],
    ['PRIORITY with a stream that depends on itself', [frame(priority, 0, 1, hex('0000000110'))], 'reset 1 1'],
    [
      'PRIORITY with a stream that depends exclusively on itself',
      [frame(priority, 0, 1, hex('8000000110'))],
      'reset 1 1',
    ],
    ['PRIORITY of 1 byte on a closed stream', [frame(priority, 0, 3, hex('00'))], 'goaway 6'],
    ['PRIORITY of 1 byte on an idle stream', [frame(priority, 0, 5, hex('00'))], 'goaway 6'],
    ['PRIORITY with an idle stream that depends on itself', [frame(priority, 0, 5, hex('0000000510'))], 'goaway 1'],

    ['PRIORITY_UPDATE', [frame(priorityUpdate, 0, 0, hex('00000001'))], ''],
    ['PRIORITY_UPDATE for a stream that is not open', [frame(priorityUpdate, 0, 0, hex('00000009'))], ''],
    ['PRIORITY_UPDATE on a stream', [frame(priorityUpdate, 0, 1, hex('00000001'))], 'goaway 1'],
    ['PRIORITY_UPDATE of 3 bytes', [frame(priorityUpdate, 0, 0, hex('000001'))], 'goaway 6'],

    ['PUSH_PROMISE', [frame(push, 4, 1, hex('00000002'))], 'goaway 1'],
    ['an unknown frame type', [frame(0x16, 0xff, 9, hex('00'))], ''],
    ['GOAWAY on a stream', [frame(goAway, 0, 1, Buffer.alloc(8))], 'goaway 1'],
    ['GOAWAY of 7 bytes', [frame(goAway, 0, 0, Buffer.alloc(7))], 'goaway 6'],
    ['GOAWAY', [frame(goAway, 0, 0, Buffer.alloc(8))], 'goaway 0'],
    ['GOAWAY with debug data', [frame(goAway, 0, 0, Buffer.alloc(20))], 'goaway 0'],

    ['RST_STREAM', [frame(reset, 0, 1, number(8))], ''],
    ['RST_STREAM on a closed stream', [frame(reset, 0, 3, number(8))], ''],
    ['RST_STREAM on an idle stream', [frame(reset, 0, 5, number(8))], 'goaway 1'],
    ['RST_STREAM on the connection', [frame(reset, 0, 0, number(8))], 'goaway 1'],
    ['RST_STREAM of 3 bytes', [frame(reset, 0, 1, hex('000008'))], 'goaway 6'],
    ['RST_STREAM of 5 bytes', [frame(reset, 0, 1, hex('0000000800'))], 'goaway 6'],

    ['DATA on the connection', [frame(data, 0, 0, hex('00'))], 'goaway 1'],
    ['DATA on an idle stream', [frame(data, 0, 5, hex('00'))], 'goaway 1'],
    ['DATA on a closed stream', [frame(data, 0, 3, hex('00'))], 'reset 3 5'],
    ['padded DATA without a pad length', [frame(data, 8, 1)], 'goaway 6'],
    ['padding that is longer than the frame', [frame(data, 8, 1, hex('020000').subarray(0, 2))], 'goaway 1'],
    ['padding that fills the frame', [frame(data, 8, 1, hex('020000'))], ''],

    ['HEADERS on a closed stream', [request(3, true)], 'goaway 5'],
    ['HEADERS without END_STREAM within a body', [frame(headers, 4, 1, hex('00016101'.concat('62')))], 'reset 1 1'],
    ['CONTINUATION without a field block', [frame(9, 4, 1)], 'goaway 1'],
    [
      'another frame within a field block',
      [frame(headers, 1, 5, hex('82')), frame(ping, 0, 0, Buffer.alloc(8))],
      'goaway 1',
    ],
    ['CONTINUATION on another stream', [frame(headers, 1, 5, hex('82')), frame(9, 4, 1)], 'goaway 1'],
    ['a field block that is not valid HPACK', [frame(headers, 5, 5, hex('80'))], 'goaway 9'],
  ] as const)
    it(`the HTTP/2 server ${said === '' ? 'does not respond' : `responds with ${said}`} to ${what}`, () => {
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
