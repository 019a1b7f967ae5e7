import { expect } from 'chai';
import { h3Error } from '@sluice/http3';
import { frameBytes, frameType, integerBytes, setting, streamType } from '../src/frame.ts';
import { Conversation, get } from './conversation.ts';

describe('Http3ServerConnection', () => {
  let conversation: Conversation;
  beforeEach(() => {
    conversation = new Conversation();
  });
  afterEach(() => {
    conversation.close();
  });

  it('Http3ServerConnection passes requests to the handler and responses to the client', () => {
    conversation.onSeen = ({ stream }) => {
      stream.respond([':status', '200', 'content-type', 'text/plain'], false);
      stream.write(Buffer.from('hello'));
      stream.end(null);
    };
    const response = conversation.request([...get, 'user-agent', 'test']);
    conversation.run(() => response.ended);
    const [seen] = conversation.requests;
    expect([seen?.fields.method, seen?.fields.path, seen?.fields.authority]).to.deep.equal(['GET', '/', 'example.com']);
    expect(seen?.fields.headers.get('user-agent')).to.equal('test');
    expect(response.heads).to.deep.equal([
      [
        [':status', '200'],
        ['content-type', 'text/plain'],
      ],
    ]);
    expect(response.body).to.equal('hello');
  });

  // Attack in docs/security.md: Replayed early data (0-RTT replay).
  it('HTTP/3 requests in early data wait for the handshake only if their method is unsafe', () => {
    // Simulates a server whose handshake is not complete yet.
    const quic = Object.create(conversation.server.quic, { complete: { value: false, writable: true } });
    const actual = conversation.server.quic;
    conversation.server.quic = quic;
    conversation.onSeen = ({ stream }) => stream.respond([':status', '200'], true);
    const post = [':method', 'POST', ...get.slice(2)];
    const [safe, unsafe] = [conversation.request(get), conversation.request(post, 'x'.repeat(5000), ['x-end', 'yes'])];
    // Blocked streams must not count as waiting for table entries, and encoder instructions must not start them.
    for (let i = 0; i < 30; i++) conversation.request([...post, `x-${i}`, 'a value that is inserted in the table']);
    conversation.run();
    expect(conversation.requests.map(({ fields }) => fields.method)).to.deep.equal(['GET']);
    expect([safe.closed, unsafe.closed, conversation.clientClosed]).to.deep.equal([true, false, null]);
    conversation.server.quic = actual;
    conversation.server.onHandshakeComplete();
    conversation.run();
    expect(conversation.requests).to.have.lengthOf(32);
    const [, seen] = conversation.requests;
    expect([seen?.body.length, seen?.trailers?.get('x-end'), unsafe.closed]).to.deep.equal([5000, 'yes', true]);
  });

  it('HTTP/3 bodies and trailers are transferred in both directions, and interim responses are sent', () => {
    conversation.onSeen = ({ stream }) => {
      stream.interim([':status', '103', 'link', '</a>']);
      stream.respond([':status', '200'], false);
      stream.write(Buffer.alloc(300_000, 'x'));
      stream.end(['x-checksum', '1']);
    };
    const response = conversation.request([...get, 'content-length', '100000'], 'y'.repeat(100_000), ['x-end', 'yes']);
    conversation.run(() => response.closed, 10_000);
    const [seen] = conversation.requests;
    expect(seen?.body).to.have.lengthOf(100_000);
    expect(seen?.trailers?.get('x-end')).to.equal('yes');
    expect(response.heads.map((head) => head[0])).to.deep.equal([
      [':status', '103'],
      [':status', '200'],
      ['x-checksum', '1'],
    ]);
    expect(response.body).to.have.lengthOf(300_000);
  });

  it('Http3ServerConnection uses the dynamic table for repeated fields', () => {
    conversation.onSeen = ({ stream }) => {
      stream.respond([':status', '200', 'x-served-by', 'a server with a long name', 'set-cookie', 'a=b'], true);
    };
    for (let i = 0; i < 5; i++) {
      const response = conversation.request([...get, 'x-client', 'a client with a long name']);
      conversation.run(() => response.closed);
      expect(response.heads[0]).to.deep.include(['x-served-by', 'a server with a long name']);
      expect(conversation.requests.at(-1)?.fields.headers.get('x-client')).to.equal('a client with a long name');
    }
    expect(conversation.decoder.inserted).to.be.above(0);
    expect(conversation.encoder.inserted).to.be.above(0);
    // Sensitive fields are never added to the dynamic table.
    expect(conversation.serverStreams.get(streamType.encoder)?.includes('a=b')).to.equal(false);
  });

  it('Http3ServerConnection resumes a request that waits for table entries when the entries arrive', () => {
    conversation.hearsFeedback = false;
    // The encoder inserts one entry, `x-late: value`. A section refers to the entry before it arrives.
    const section = Buffer.concat([
      Buffer.from([2, 0]),
      Buffer.from([0xc0 | 17, 0xc0 | 23, 0xc0 | 1]),
      Buffer.from([0x50, 11]),
      Buffer.from('example.com'),
      Buffer.from([0x80]),
    ]);
    const { response } = conversation.raw(frameBytes(frameType.headers, section));
    conversation.run();
    expect(conversation.requests).to.deep.equal([]);
    conversation.encoderStream?.write(
      Buffer.concat([
        Buffer.from([0x3f, 0xe1, 0x1f]),
        Buffer.from([0x46]),
        Buffer.from('x-late'),
        Buffer.from([5]),
        Buffer.from('value'),
      ]),
    );
    conversation.run();
    expect(conversation.requests[0]?.fields.headers.get('x-late')).to.equal('value');
    expect(conversation.requests[0]?.ended).to.equal(true);
    expect(response.closed).to.equal(false);
  });

  it('Http3ServerConnection sends a stream cancellation if a client abandons a request that waits for table entries', () => {
    conversation.hearsFeedback = false;
    const { stream } = conversation.raw(frameBytes(frameType.headers, Buffer.from([2, 0, 0x80])), false);
    conversation.run();
    stream.reset(h3Error.requestCancelled);
    conversation.run();
    expect(conversation.serverStreams.get(streamType.decoder)?.toString('hex')).to.equal('40');
  });

  it('Http3ServerConnection completes requests in flight during a graceful shutdown, and refuses later requests', () => {
    const first = conversation.request(get);
    conversation.run();
    conversation.server.shutdown();
    conversation.run();
    const second = conversation.request(get);
    conversation.run();
    expect(conversation.requests).to.have.lengthOf(2);
    conversation.server.finishShutdown();
    const third = conversation.request(get);
    conversation.run();
    expect(third.resetCode).to.equal(h3Error.requestRejected);
    for (const { stream } of conversation.requests) stream.respond([':status', '204'], true);
    conversation.run(() => conversation.clientClosed !== null);
    expect(first.ended && second.ended).to.equal(true);
  });

  it('Http3ServerConnection closes a request when the client abandons it', () => {
    const { stream } = conversation.raw(frameBytes(frameType.headers, conversation.section(get)), false);
    conversation.run();
    stream.reset(h3Error.requestCancelled);
    stream.stopSending(h3Error.requestCancelled);
    conversation.run();
    expect(conversation.requests[0]?.closedWith).to.equal(h3Error.requestCancelled);
    expect(conversation.server.streams.size).to.equal(0);
  });

  it('Http3Stream.queued is 0 as soon as the stream closes, even if the client abandons a response', () => {
    const { stream } = conversation.raw(frameBytes(frameType.headers, conversation.section(get)));
    conversation.run();
    const response = conversation.requests[0]!.stream;
    let left = -1;
    response.owner = { ...response.owner!, onClose: () => (left = response.queued) };
    response.respond([':status', '200'], false);
    response.write(Buffer.alloc(8 * 1024 * 1024));
    expect(response.queued).to.be.above(0);
    stream.stopSending(h3Error.requestCancelled);
    conversation.run();
    expect(left).to.equal(0);
  });

  const malformed: Record<string, readonly string[]> = {
    'no :path': [':method', 'GET', ':scheme', 'https', ':authority', 'a'],
    'an uppercase field name': [...get, 'X-Upper', '1'],
    'a connection-specific field': [...get, 'connection', 'close'],
    'a pseudo-header after regular fields': [...get.slice(2), 'a', 'b', ':method', 'GET'],
    'a response pseudo-header': [...get, ':status', '200'],
    'a Content-Length that does not match the body': [...get, 'content-length', '7'],
  };
  for (const [name, fields] of Object.entries(malformed)) {
    it(`Http3ServerConnection resets a request with ${name}, and other requests continue`, () => {
      const response = conversation.request(fields, 'body');
      conversation.run();
      expect(response.resetCode).to.equal(h3Error.messageError);
      const other = conversation.request(get);
      conversation.run();
      expect(other.resetCode).to.equal(null);
      expect(conversation.clientClosed).to.equal(null);
    });
  }

  const errors: Record<string, readonly [code: number, (conversation: Conversation) => void]> = {
    'DATA before HEADERS': [h3Error.frameUnexpected, (it) => it.raw(frameBytes(frameType.data, Buffer.from('x')))],
    'SETTINGS on a request stream': [
      h3Error.frameUnexpected,
      (it) => it.raw(frameBytes(frameType.settings, Buffer.alloc(0))),
    ],
    'an HTTP/2 PING frame': [h3Error.frameUnexpected, (it) => it.raw(frameBytes(0x06, Buffer.alloc(8)))],
    'a stream that ends within a frame': [h3Error.frameError, (it) => it.raw(Buffer.from([1, 20, 0]))],
    'a second control stream': [h3Error.streamCreationError, (it) => it.open(streamType.control)],
    'a push stream from a client': [h3Error.streamCreationError, (it) => it.open(streamType.push)],
    'a closed control stream': [h3Error.closedCriticalStream, (it) => it.control?.end()],
    'repeated SETTINGS': [
      h3Error.frameUnexpected,
      (it) => it.control?.write(frameBytes(frameType.settings, Buffer.alloc(0))),
    ],
    'DATA on the control stream': [
      h3Error.frameUnexpected,
      (it) => it.control?.write(frameBytes(frameType.data, Buffer.alloc(1))),
    ],
    'CANCEL_PUSH without a push': [
      h3Error.idError,
      (it) => it.control?.write(frameBytes(frameType.cancelPush, Buffer.from([0]))),
    ],
    'a field section that refers beyond the static table': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0, 0xff, 0x40]))),
    ],
    'an invalid required insert count': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0xff, 0xff, 0x03, 0]))),
    ],
    'a dynamic table capacity above the limit': [
      h3Error.qpackEncoderStreamError,
      (it) => it.encoderStream?.write(Buffer.from([0x3f, 0xff, 0x7f])),
    ],
    'a duplicate of a missing table entry': [
      h3Error.qpackEncoderStreamError,
      (it) => it.encoderStream?.write(Buffer.from([0x05])),
    ],
    'an acknowledgment of a field section without references': [
      h3Error.qpackDecoderStreamError,
      (it) => it.decoderStream?.write(Buffer.from([0x84])),
    ],
    'an insert count increment above the number of inserts': [
      h3Error.qpackDecoderStreamError,
      (it) => it.decoderStream?.write(Buffer.from([0x3f, 0x7f])),
    ],
    ...Object.fromEntries(
      [0x02, 0x06, 0x08, 0x09].map((type) => [
        `the HTTP/2 frame type ${type} on the control stream`,
        [h3Error.frameUnexpected, (it: Conversation) => it.control?.write(frameBytes(type, Buffer.alloc(8)))] as const,
      ]),
    ),
    ...Object.fromEntries(
      [
        0x02,
        0x08,
        0x09,
        frameType.cancelPush,
        frameType.pushPromise,
        frameType.goAway,
        frameType.maxPushId,
        frameType.priorityUpdate,
      ].map((type) => [
        `frame type ${type} on a request stream`,
        [h3Error.frameUnexpected, (it: Conversation) => it.raw(frameBytes(type, Buffer.from([0])))] as const,
      ]),
    ),
    'HEADERS on the control stream': [
      h3Error.frameUnexpected,
      (it) => it.control?.write(frameBytes(frameType.headers, Buffer.alloc(3))),
    ],
    'PUSH_PROMISE on the control stream': [
      h3Error.frameUnexpected,
      (it) => it.control?.write(frameBytes(frameType.pushPromise, Buffer.alloc(3))),
    ],
    'GOAWAY without an ID': [
      h3Error.frameError,
      (it) => it.control?.write(frameBytes(frameType.goAway, Buffer.alloc(0))),
    ],
    'GOAWAY with extra bytes after its ID': [
      h3Error.frameError,
      (it) => it.control?.write(frameBytes(frameType.goAway, Buffer.from([0, 0]))),
    ],
    'a truncated MAX_PUSH_ID': [
      h3Error.frameError,
      (it) => it.control?.write(frameBytes(frameType.maxPushId, Buffer.from([0x40]))),
    ],
    'GOAWAY with an increased ID': [
      h3Error.idError,
      (it) => it.control?.write(Buffer.concat([1, 2].map((id) => frameBytes(frameType.goAway, Buffer.from([id]))))),
    ],
    'MAX_PUSH_ID with a decreased ID': [
      h3Error.idError,
      (it) => it.control?.write(Buffer.concat([2, 1].map((id) => frameBytes(frameType.maxPushId, Buffer.from([id]))))),
    ],
    'a truncated PRIORITY_UPDATE': [
      h3Error.frameError,
      (it) => it.control?.write(frameBytes(frameType.priorityUpdate, Buffer.alloc(0))),
    ],
    'PRIORITY_UPDATE for a stream that is not a request stream': [
      h3Error.idError,
      (it) => it.control?.write(frameBytes(frameType.priorityUpdate, Buffer.from([2]))),
    ],
    'an oversized control frame': [
      h3Error.excessiveLoad,
      (it) => it.control?.write(Buffer.concat([integerBytes(frameType.goAway), integerBytes(2 ** 20)])),
    ],
    'a second encoder stream': [h3Error.streamCreationError, (it) => it.open(streamType.encoder)],
    'a second decoder stream': [h3Error.streamCreationError, (it) => it.open(streamType.decoder)],
    'a closed encoder stream': [h3Error.closedCriticalStream, (it) => it.encoderStream?.end()],
    'a reset decoder stream': [h3Error.closedCriticalStream, (it) => it.decoderStream?.reset(0)],
    'a reset control stream': [h3Error.closedCriticalStream, (it) => it.control?.reset(0)],
    'an entry that is larger than the dynamic table': [
      h3Error.qpackEncoderStreamError,
      (it) => it.encoderStream?.write(Buffer.from([0x3f, 0x01, 0x41, 0x61, 0x01, 0x62])),
    ],
    'an entry whose name refers beyond the static table': [
      h3Error.qpackEncoderStreamError,
      (it) => it.encoderStream?.write(Buffer.from([0xff, 0x7f, 0x00])),
    ],
    'an unterminated QPACK integer': [
      h3Error.qpackEncoderStreamError,
      (it) => it.encoderStream?.write(Buffer.alloc(20, 0xff)),
    ],
    'an insert count increment of 0': [
      h3Error.qpackDecoderStreamError,
      (it) => it.decoderStream?.write(Buffer.from([0x00])),
    ],
    'a field section with a truncated prefix': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0]))),
    ],
    'a field section with a negative base': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0x80, 0xc1]))),
    ],
    'a dynamic table reference with a required insert count of 0': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0, 0x80]))),
    ],
    'a post-base reference to a missing entry': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0, 0x10]))),
    ],
    'a truncated literal': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0, 0x51, 0x0a, 0x61]))),
    ],
    'an invalid Huffman encoding': [
      h3Error.qpackDecompressionFailed,
      (it) => it.raw(frameBytes(frameType.headers, Buffer.from([0, 0, 0x51, 0x84, 0xff, 0xff, 0xff, 0xff]))),
    ],
    'an oversized field section': [
      h3Error.excessiveLoad,
      (it) => it.raw(Buffer.concat([Buffer.from([1]), integerBytes(2 ** 20)]), false),
    ],
  };
  for (const [name, [code, act]] of Object.entries(errors)) {
    it(`Http3ServerConnection closes the connection for ${name}`, () => {
      act(conversation);
      conversation.run(() => conversation.clientClosed !== null);
      expect(conversation.clientClosed?.code).to.equal(code);
      expect(conversation.faults).to.deep.equal([]);
    });
  }

  it('Http3ServerConnection closes a connection whose control stream has no SETTINGS or invalid settings', () => {
    const cases: readonly (readonly [number, Buffer])[] = [
      [h3Error.missingSettings, frameBytes(frameType.goAway, Buffer.from([0]))],
      [h3Error.settingsError, frameBytes(frameType.settings, Buffer.from([0x02, 0]))],
      [h3Error.settingsError, frameBytes(frameType.settings, Buffer.from([0x21, 0, 0x21, 0]))],
      [h3Error.settingsError, frameBytes(frameType.settings, Buffer.from([setting.enableConnectProtocol, 2]))],
      [h3Error.frameError, frameBytes(frameType.settings, Buffer.from([setting.maxFieldSectionSize]))],
    ];
    for (const [code, bytes] of cases) {
      const other = new Conversation({ begins: false });
      other.open(streamType.control, bytes);
      other.run(() => other.clientClosed !== null);
      expect(other.clientClosed?.code).to.equal(code);
      other.close();
    }
  });

  // Attack in docs/security.md: Field lists that exceed the size limit.
  it('Http3ServerConnection rejects a field list that is too long, and reports this to the handler', () => {
    conversation.request([...get, 'x-long', 'x'.repeat(5000)]);
    conversation.run();
    expect(conversation.requests[0]?.fields.tooLarge).to.equal(true);
  });

  it('Http3ServerConnection ignores frames and streams of unknown types', () => {
    conversation.open(0x21, Buffer.from('whatever'));
    conversation.control?.write(frameBytes(0x21, Buffer.alloc(100)));
    const bytes = Buffer.concat([
      frameBytes(0x21, Buffer.alloc(9)),
      frameBytes(frameType.headers, conversation.section(get)),
      frameBytes(0x40, Buffer.alloc(3)),
    ]);
    conversation.raw(bytes);
    conversation.run();
    expect(conversation.requests[0]?.ended).to.equal(true);
    expect(conversation.clientClosed).to.equal(null);
  });

  it('Http3ServerConnection keeps the flow-control windows open even if frame headers use longer encodings than necessary', () => {
    const long = (value: number): Buffer => Buffer.from([0xc0, 0, 0, 0, 0, 0, 0, value]);
    const piece = Buffer.concat([long(frameType.data), long(1), Buffer.from('x')]);
    // 340,000 bytes do not fit into the window of 256 KiB.
    const count = 20_000;
    const pieces = Array.from({ length: count }, () => piece);
    conversation.raw(Buffer.concat([frameBytes(frameType.headers, conversation.section(get)), ...pieces]));
    conversation.run(() => conversation.requests[0]?.ended === true, 10_000);
    expect(conversation.requests[0]?.body).to.have.lengthOf(count);
    expect(conversation.requests[0]?.ended).to.equal(true);
  });

  // Attack in docs/security.md: Rapid reset of streams.
  it('Http3ServerConnection disconnects a client that keeps resetting streams', () => {
    for (let i = 0; i < 1200 && conversation.clientClosed === null; i++) {
      const stream = conversation.client.openStream(true);
      if (stream === null) {
        conversation.run(() => false, 20);
        continue;
      }
      stream.write(frameBytes(frameType.headers, conversation.section(get)));
      stream.reset(h3Error.requestCancelled);
      stream.stopSending(h3Error.requestCancelled);
      if (i % 50 === 0) conversation.run(() => false, 20);
    }
    conversation.run(() => conversation.clientClosed !== null, 5000);
    expect(conversation.clientClosed?.code).to.equal(h3Error.excessiveLoad);
    expect(conversation.abuses).to.deep.equal(['too many streams were reset']);
  });

  it('Http3ServerConnection reads the request priority from the Priority header and from PRIORITY_UPDATE', () => {
    conversation.request([...get, 'priority', 'u=1, i']);
    conversation.run();
    const [seen] = conversation.requests;
    expect([seen?.stream.urgency, seen?.stream.incremental]).to.deep.equal([1, true]);
    conversation.control?.write(
      frameBytes(frameType.priorityUpdate, Buffer.concat([integerBytes(seen!.stream.id), Buffer.from('u=6')])),
    );
    conversation.run();
    expect([seen?.stream.urgency, seen?.stream.incremental]).to.deep.equal([6, false]);
  });
});
