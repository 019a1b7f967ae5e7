import { expect } from 'chai';
import { Simulation } from '@sluice/testing/quic';
import { forge, frame, integer, type Forging } from './forge.ts';

/** RFC 9000 §20.1. */
const code = {
  internal: 0x1,
  flowControl: 0x3,
  streamLimit: 0x4,
  streamState: 0x5,
  finalSize: 0x6,
  frameEncoding: 0x7,
  connectionIdLimit: 0x9,
  protocolViolation: 0xa,
  cryptoBufferExceeded: 0xd,
} as const;

const type = {
  ping: 0x01,
  ack: 0x02,
  ackEcn: 0x03,
  reset: 0x04,
  stop: 0x05,
  crypto: 0x06,
  newToken: 0x07,
  stream: 0x08,
  maxData: 0x10,
  maxStreamData: 0x11,
  maxStreamsBidi: 0x12,
  maxStreamsUni: 0x13,
  dataBlocked: 0x14,
  streamDataBlocked: 0x15,
  streamsBlockedBidi: 0x16,
  streamsBlockedUni: 0x17,
  newId: 0x18,
  retireId: 0x19,
  challenge: 0x1a,
  response: 0x1b,
  close: 0x1c,
  closeApplication: 0x1d,
  done: 0x1e,
  datagram: 0x30,
} as const;

const offset = 0x04;
const length = 0x02;
const fin = 0x01;
const huge = 2n ** 62n - 1n;
const token = Buffer.alloc(16, 7);
const id = (byte: number, size = 8): Buffer => Buffer.alloc(size, byte);
const newId = (sequence: number | bigint, prior: number | bigint, bytes: Buffer, reset = token): Buffer =>
  frame(type.newId, sequence, prior, Buffer.of(bytes.length), bytes, reset);
const ids = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => newId(10 + i, 0, id(0x80 + i))));

/** A packet payload, and the error code with which the server must close the connection. */
type Case = readonly [name: string, payload: Buffer, expected: number, forging?: Forging];

const cases: readonly Case[] = [
  ['no frames', Buffer.alloc(0), code.protocolViolation],
  ['reserved bits set', frame(type.ping), code.protocolViolation, { first: 0x18 }],
  ['one reserved bit set', frame(type.ping), code.protocolViolation, { first: 0x08 }],
  // Types (§12.4)
  ['an unknown frame of one byte', frame(0x1f), code.frameEncoding],
  ['an unknown frame of two bytes', frame(0x1234), code.frameEncoding],
  ['an unknown frame of eight bytes', frame(huge), code.frameEncoding],
  ['PING in a longer encoding', integer(type.ping, 2), code.protocolViolation],
  ['STREAM in the longest encoding', Buffer.concat([integer(type.stream, 8), integer(0)]), code.protocolViolation],
  ['a truncated frame type', Buffer.of(0x40), code.frameEncoding],
  ['DATAGRAM without negotiation', frame(type.datagram, 'x'), code.protocolViolation],
  ['DATAGRAM with a length', frame(type.datagram + 1, 1, 'x'), code.protocolViolation],
  // ACK (§19.3, §13.1)
  ['an acknowledgment of a packet that was never sent', frame(type.ack, 1_000_000, 0, 0, 0), code.protocolViolation],
  ['an acknowledgment of the largest packet number', frame(type.ack, huge, 0, 0, 0), code.protocolViolation],
  ['a first ACK range below 0', frame(type.ack, 1, 0, 0, 2), code.frameEncoding],
  ['a further ACK range below 0', frame(type.ack, 2, 0, 1, 0, 0, 5), code.frameEncoding],
  ['an ACK gap below 0', frame(type.ack, 2, 0, 1, 2, 0, 0), code.frameEncoding],
  ['a truncated ACK frame', frame(type.ack, 1, 0), code.frameEncoding],
  ['ACK with fewer ranges than declared', frame(type.ack, 2, 0, 3, 0), code.frameEncoding],
  ['ACK without its ECN counters', frame(type.ackEcn, 0, 0, 0, 0, 1), code.frameEncoding],
  // RESET_STREAM and STOP_SENDING (RFC 9000 §19.4, §19.5)
  ['a truncated RESET_STREAM frame', frame(type.reset, 0, 0), code.frameEncoding],
  ['RESET_STREAM for a server-initiated stream', frame(type.reset, 1, 0, 0), code.streamState],
  ['RESET_STREAM for a server-initiated unidirectional stream', frame(type.reset, 3, 0, 0), code.streamState],
  ['RESET_STREAM beyond the stream limit', frame(type.reset, 4 * 100, 0, 0), code.streamLimit],
  ['RESET_STREAM beyond the flow-control window', frame(type.reset, 0, 0, (1 << 18) + 1), code.flowControl],
  ['RESET_STREAM with the largest final size', frame(type.reset, 0, 0, huge), code.flowControl],
  [
    'RESET_STREAM that shortens the stream',
    Buffer.concat([frame(type.stream | length, 0, 5, 'hello'), frame(type.reset, 0, 0, 4)]),
    code.finalSize,
  ],
  [
    'RESET_STREAM with two final sizes',
    Buffer.concat([frame(type.reset, 0, 0, 4), frame(type.reset, 0, 0, 5)]),
    code.finalSize,
  ],
  ['a truncated STOP_SENDING frame', frame(type.stop, 0), code.frameEncoding],
  ['STOP_SENDING for a client-initiated unidirectional stream', frame(type.stop, 2, 0), code.streamState],
  ['STOP_SENDING for a server stream that is not open', frame(type.stop, 1, 0), code.streamState],
  ['STOP_SENDING beyond the stream limit', frame(type.stop, 4 * 100, 0), code.streamLimit],
  // CRYPTO and NEW_TOKEN (RFC 9000 §19.6, §19.7, §7.5)
  ['a truncated CRYPTO frame', frame(type.crypto, 0, 10, 'short'), code.frameEncoding],
  ['CRYPTO beyond the largest offset', frame(type.crypto, huge, 1, 'x'), code.cryptoBufferExceeded],
  ['CRYPTO far beyond the current offset', frame(type.crypto, 1_000_000, 1, 'x'), code.cryptoBufferExceeded],
  [
    'CRYPTO with many gaps',
    Buffer.concat(Array.from({ length: 100 }, (_, i) => frame(type.crypto, 2 * i + 1, 1, 'x'))),
    code.cryptoBufferExceeded,
  ],
  ['NEW_TOKEN from a client', frame(type.newToken, 3, 'abc'), code.protocolViolation],
  ['an empty NEW_TOKEN', frame(type.newToken, 0), code.frameEncoding],
  ['a truncated NEW_TOKEN frame', frame(type.newToken, 9, 'abc'), code.frameEncoding],
  // STREAM (§19.8, §4)
  ['a truncated STREAM frame', frame(type.stream | length, 0, 10, 'short'), code.frameEncoding],
  ['STREAM without its offset', Buffer.of(type.stream | offset, 0), code.frameEncoding],
  ['STREAM beyond the largest offset', frame(type.stream | offset, 0, huge, 'x'), code.flowControl],
  ['STREAM on a server-initiated stream', frame(type.stream, 1, 'x'), code.streamState],
  ['STREAM on a server-initiated unidirectional stream', frame(type.stream, 3, 'x'), code.streamState],
  ['STREAM beyond the stream limit', frame(type.stream, 4 * 100, 'x'), code.streamLimit],
  ['STREAM beyond the unidirectional stream limit', frame(type.stream, 4 * 10 + 2, 'x'), code.streamLimit],
  ['STREAM with the largest stream ID', frame(type.stream, huge - 3n, 'x'), code.streamLimit],
  ['STREAM beyond the flow-control window', frame(type.stream | offset, 0, 1 << 18, 'x'), code.flowControl],
  [
    'streams that together exceed the connection window',
    Buffer.concat(
      Array.from({ length: 5 }, (_, i) => frame(type.stream | offset | length, 4 * i, (1 << 18) - 1, 1, 'x')),
    ),
    code.flowControl,
  ],
  [
    'gaps in many streams',
    Buffer.concat(
      Array.from({ length: 4200 }, (_, i) =>
        frame(type.stream | offset | length, 4 * (i % 90), 2 * Math.floor(i / 90) + 1, 1, 'x'),
      ),
    ),
    code.internal,
  ],
  [
    'STREAM beyond the final size',
    Buffer.concat([frame(type.stream | length | fin, 0, 2, 'ab'), frame(type.stream | offset, 0, 2, 'c')]),
    code.finalSize,
  ],
  [
    'two final sizes for one stream',
    Buffer.concat([frame(type.stream | length | fin, 0, 2, 'ab'), frame(type.stream | length | fin, 0, 1, 'a')]),
    code.finalSize,
  ],
  [
    'a final size below the data already sent',
    Buffer.concat([
      frame(type.stream | offset | length, 0, 9, 1, 'x'),
      frame(type.stream | offset | length | fin, 0, 4, 0),
    ]),
    code.finalSize,
  ],
  // Flow control limits (RFC 9000 §19.9 to §19.14)
  ['a truncated MAX_DATA frame', Buffer.of(type.maxData, 0x80), code.frameEncoding],
  ['a truncated MAX_STREAM_DATA frame', frame(type.maxStreamData, 0), code.frameEncoding],
  ['MAX_STREAM_DATA for a client-initiated unidirectional stream', frame(type.maxStreamData, 2, 10), code.streamState],
  ['MAX_STREAM_DATA for a server stream that is not open', frame(type.maxStreamData, 3, 10), code.streamState],
  ['MAX_STREAMS above 2^60', frame(type.maxStreamsBidi, 2n ** 60n + 1n), code.frameEncoding],
  ['unidirectional MAX_STREAMS above 2^60', frame(type.maxStreamsUni, 2n ** 61n), code.frameEncoding],
  ['a truncated DATA_BLOCKED frame', frame(type.dataBlocked), code.frameEncoding],
  ['a truncated STREAM_DATA_BLOCKED frame', frame(type.streamDataBlocked, 0), code.frameEncoding],
  [
    'STREAM_DATA_BLOCKED for a server-initiated unidirectional stream',
    frame(type.streamDataBlocked, 3, 0),
    code.streamState,
  ],
  ['STREAMS_BLOCKED above 2^60', frame(type.streamsBlockedBidi, 2n ** 60n + 1n), code.frameEncoding],
  ['unidirectional STREAMS_BLOCKED above 2^60', frame(type.streamsBlockedUni, huge), code.frameEncoding],
  // Connection IDs (RFC 9000 §19.15, §19.16, §5.1)
  ['a truncated NEW_CONNECTION_ID frame', frame(type.newId, 1, 0, Buffer.of(8), id(1), 'short'), code.frameEncoding],
  ['NEW_CONNECTION_ID with an empty ID', newId(9, 0, id(1, 0)), code.frameEncoding],
  ['NEW_CONNECTION_ID with an ID of 21 bytes', newId(9, 0, id(1, 21)), code.frameEncoding],
  ['NEW_CONNECTION_ID that retires itself', newId(9, 10, id(1)), code.frameEncoding],
  [
    'a connection ID with two sequence numbers',
    Buffer.concat([newId(9, 9, id(1)), newId(10, 9, id(1))]),
    code.protocolViolation,
  ],
  [
    'two connection IDs with one sequence number',
    Buffer.concat([newId(9, 9, id(1)), newId(9, 9, id(2))]),
    code.protocolViolation,
  ],
  ['more connection IDs than allowed', ids(5), code.connectionIdLimit],
  [
    'connection IDs that endlessly retire each other',
    Buffer.concat(Array.from({ length: 30 }, (_, i) => newId(20 + i, 20 + i, id(0x40 + i)))),
    code.connectionIdLimit,
  ],
  ['RETIRE_CONNECTION_ID for an ID that was never issued', frame(type.retireId, 1000), code.protocolViolation],
  ['RETIRE_CONNECTION_ID with the largest sequence number', frame(type.retireId, huge), code.protocolViolation],
  ['a truncated RETIRE_CONNECTION_ID frame', frame(type.retireId), code.frameEncoding],
  // Path validation, connection close, and handshake completion (RFC 9000 §19.17 to §19.20)
  ['a truncated PATH_CHALLENGE frame', frame(type.challenge, 'seven b'), code.frameEncoding],
  ['a truncated PATH_RESPONSE frame', frame(type.response, 'seven b'), code.frameEncoding],
  ['a truncated CONNECTION_CLOSE frame', frame(type.close, 0, 0, 9, 'short'), code.frameEncoding],
  ['a truncated application CONNECTION_CLOSE frame', frame(type.closeApplication, 0, 9, 'short'), code.frameEncoding],
  ['HANDSHAKE_DONE from a client', frame(type.done), code.protocolViolation],
];

describe('QUIC packets that violate RFC 9000', () => {
  for (const [name, payload, expected, forging] of cases)
    it(`Connection is closed with error 0x${expected.toString(16)} by a packet with ${name}`, () => {
      const simulation = new Simulation();
      const { client } = simulation.established();
      simulation.clock.run(() => false, 100);
      forge(simulation, client, payload, forging);
      const seen = simulation.atServer[0]?.closed;
      expect(seen?.code, `${seen?.reason}`).to.equal(expected);
      expect(seen).to.include({ by: 'local', application: false });
      // If the packet makes the server use a connection ID that the client does not have, the client receives nothing.
      simulation.clock.run(() => simulation.atClient.closed !== null, 1000);
      if (simulation.atClient.closed !== null)
        expect(simulation.atClient.closed).to.include({ code: expected, by: 'peer' });
      expect(simulation.atServer[0]?.faults).to.deep.equal([]);
      simulation.close();
    });
});

describe('QUIC packets that are unusual but valid', () => {
  const allowed: readonly (readonly [name: string, payload: Buffer])[] = [
    [
      'STOP_SENDING with the largest error code',
      Buffer.concat([frame(type.stream | length, 0, 1, 'x'), frame(type.stop, 0, huge)]),
    ],
    ['RESET_STREAM with the largest error code', frame(type.reset, 0, huge, 0)],
    ['MAX_STREAMS of 2^60', frame(type.maxStreamsBidi, 2n ** 60n)],
    ['MAX_DATA with the largest limit', frame(type.maxData, huge)],
    ['an unsolicited PATH_RESPONSE', frame(type.response, 'eight by')],
    ['a retired connection ID', frame(type.retireId, 1)],
    ['only padding', Buffer.alloc(30)],
    ['an empty STREAM frame', frame(type.stream | length, 0, 0)],
    ['two identical ends of a stream', Buffer.concat([frame(0xb, 0, 1, 'x'), frame(0xb, 0, 1, 'x')])],
    ['an acknowledgment delay that overflows', frame(type.ack, 0, huge, 0, 0)],
  ];
  for (const [name, payload] of allowed)
    it(`Connection stays open after a packet with ${name}`, () => {
      const simulation = new Simulation();
      const { client } = simulation.established();
      simulation.clock.run(() => false, 100);
      forge(simulation, client, payload);
      simulation.clock.run(() => false, 1000);
      const [seen] = simulation.atServer;
      expect(seen?.faults).to.deep.equal([]);
      // The client did not send the packet itself, so it may reject the response.
      if (seen?.closed !== null) expect(seen?.closed.by, seen?.closed.reason).to.equal('peer');
      simulation.close();
    });
});

describe('QUIC path validation', () => {
  it('Connection sends PATH_RESPONSE on the validated path, in a datagram of 1200 bytes', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    simulation.clock.run(() => false, 100);
    const sizes = new Map<string, number[]>();
    const { link } = simulation;
    link.filter = (datagram, from) => {
      if (from === 'server') sizes.set(simulation.sentTo, [...(sizes.get(simulation.sentTo) ?? []), datagram.length]);
      return true;
    };
    simulation.clientAddress = { host: '10.0.0.9', port: 7, key: '10.0.0.9:7' };
    forge(simulation, client, Buffer.concat([frame(type.challenge, 'eight by'), Buffer.alloc(1100)]));
    expect(sizes.get('10.0.0.9:7')).to.deep.equal([1200]);
    expect(simulation.atServer[0]?.connection?.address.key).to.equal('10.0.0.2:50000');
    simulation.close();
  });
});
