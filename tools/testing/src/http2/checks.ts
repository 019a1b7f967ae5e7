/**
 * Server requirements of RFC 9113, tested at the frame level. Covers the cases of h2spec and some additional cases. Each case consists of
 * frames to send and the allowed reactions. Tests of the HTTP/2 engine send the frames over plaintext connections, and tests of the server
 * over TLS.
 */
import { ack, endHeaders, endStream, fields, frame, padded, request, types, usual } from './frames.ts';

const { data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation } = types;
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
/** Encodes a SETTINGS frame with one setting. */
export const setting = (id: number, value: number): Buffer => {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id, 0);
  payload.writeUInt32BE(value, 2);
  return frame(settings, 0, 0, payload);
};
const number = (value: number): Buffer => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
};
const open = (stream: number): Buffer => frame(headers, endHeaders, stream, fields(...usual));
const without = (name: string): Buffer => fields(...usual.filter(([each]) => each !== name));
const malformed = (block: Buffer): Buffer => frame(headers, endHeaders | endStream, 1, block);
/** Encodes the HEADERS frame of a request with a body. */
export const post = (length: string): Buffer =>
  frame(headers, endHeaders, 1, fields([':method', 'POST'], ...usual.slice(1), ['content-length', length]));

/** Allowed reactions to a connection error: GOAWAY, or closing the connection. */
const connectionError = /^(goaway \d+|closed)$/;
/** Allowed reactions to a stream error. The server may treat it as a connection error (RFC 9113 §5.4.2). */
const streamError = /^(reset \d+|goaway \d+|closed)$/;
/** Allowed reactions to a malformed request. The server may send a response before it resets the stream (RFC 9113 §8.1.1). */
const refusal = /^(reset \d+|goaway \d+|closed|status 400)$/;
/** Expected reaction to a valid request. */
export const served = /^status 200$/;

/**
 * A check: its title, the frames to send after the preface and SETTINGS, and the allowed reactions of the server; see
 * `FrameClient.verdict`.
 */
export type Http2Check = readonly [what: string, sent: readonly Buffer[], verdict: RegExp];

/** HTTP/2 checks by RFC section. The tested server must read request bodies. */
export const http2Checks: Readonly<Record<string, readonly Http2Check[]>> = {
  '§4.1 frames': [
    ['ignores unknown frame types', [frame(0x16, 0, 0, bytes(1, 2)), request(1)], served],
    ['ignores undefined frame flags', [frame(ping, 0xfe, 0, Buffer.alloc(8)), request(1)], served],
    [
      'ignores the reserved bit of a stream identifier',
      [frame(headers, endHeaders | endStream, 0x80000001, fields(...usual))],
      served,
    ],
  ],
  '§4.2 sizes': [
    ['rejects DATA that is too large', [open(1), frame(data, 0, 1, Buffer.alloc(16385))], streamError],
    ['rejects HEADERS that are too large', [frame(headers, endHeaders, 1, Buffer.alloc(16385))], connectionError],
  ],
  '§4.3 field blocks': [
    [
      'rejects invalid HPACK',
      [frame(headers, endHeaders | endStream, 1, bytes(0xff, 0xff, 0xff, 0xff, 0xff))],
      connectionError,
    ],
    [
      'rejects an HPACK index that does not exist',
      [frame(headers, endHeaders | endStream, 1, bytes(0xff, 0x7f))],
      connectionError,
    ],
    [
      'rejects frames within a field block',
      [frame(headers, endStream, 1, fields(...usual)), frame(priority, 0, 1, bytes(0, 0, 0, 0, 9))],
      connectionError,
    ],
    [
      'rejects field blocks within a field block',
      [frame(headers, endStream, 1, fields(...usual)), request(3)],
      connectionError,
    ],
    [
      'accepts fragmented field blocks',
      [
        frame(headers, endStream, 1, fields(...usual.slice(0, 2))),
        frame(continuation, 0, 1),
        frame(continuation, endHeaders, 1, fields(...usual.slice(2))),
      ],
      served,
    ],
  ],
  '§5.1 states of streams': [
    ['rejects DATA on an idle stream', [frame(data, 0, 1, bytes(1))], connectionError],
    ['rejects RST_STREAM on an idle stream', [frame(reset, 0, 1, number(8))], connectionError],
    ['rejects WINDOW_UPDATE on an idle stream', [frame(windowUpdate, 0, 1, number(1))], connectionError],
    ['rejects CONTINUATION without HEADERS', [frame(continuation, endHeaders, 1, fields(...usual))], connectionError],
    [
      'rejects streams with even identifiers',
      [frame(headers, endHeaders | endStream, 2, fields(...usual))],
      connectionError,
    ],
  ],
  '§6.1 DATA': [
    ['rejects DATA on stream 0', [frame(data, 0, 0, bytes(1))], connectionError],
    ['rejects DATA padding that exceeds the frame', [open(1), frame(data, padded, 1, bytes(9, 1, 2))], connectionError],
  ],
  '§6.2 HEADERS': [
    ['rejects HEADERS on stream 0', [frame(headers, endHeaders | endStream, 0, fields(...usual))], connectionError],
    [
      'rejects HEADERS padding that exceeds the frame',
      [frame(headers, endHeaders | endStream | padded, 1, bytes(99, 0x82))],
      connectionError,
    ],
    [
      'accepts padding in HEADERS',
      [frame(headers, endHeaders | endStream | padded, 1, Buffer.concat([bytes(2), fields(...usual), bytes(0, 0)]))],
      served,
    ],
  ],
  '§6.3 PRIORITY': [
    ['rejects PRIORITY on stream 0', [frame(priority, 0, 0, bytes(0, 0, 0, 0, 9)), request(1)], connectionError],
    [
      'rejects PRIORITY with a length other than 5',
      [request(1), frame(priority, 0, 1, bytes(0, 0, 0, 0))],
      /^(status 200|reset 6|goaway 6)$/,
    ],
    ['accepts PRIORITY on an idle stream', [frame(priority, 0, 1, bytes(0, 0, 0, 0, 9)), request(1)], served],
  ],
  '§6.4 RST_STREAM': [
    ['rejects RST_STREAM on stream 0', [frame(reset, 0, 0, number(8))], connectionError],
    ['rejects RST_STREAM with a length other than 4', [open(1), frame(reset, 0, 1, bytes(0, 0, 8))], connectionError],
  ],
  '§6.5 SETTINGS': [
    ['rejects a SETTINGS acknowledgment with a payload', [frame(settings, ack, 0, Buffer.alloc(6))], connectionError],
    ['rejects SETTINGS on a stream', [frame(settings, 0, 1)], connectionError],
    [
      'rejects SETTINGS with a length that is not a multiple of 6',
      [frame(settings, 0, 0, Buffer.alloc(5))],
      connectionError,
    ],
    ['rejects ENABLE_PUSH above 1', [setting(2, 2)], connectionError],
    ['rejects INITIAL_WINDOW_SIZE above 2^31-1', [setting(4, 2 ** 31)], connectionError],
    ['rejects MAX_FRAME_SIZE below 2^14', [setting(5, 2 ** 14 - 1)], connectionError],
    ['rejects MAX_FRAME_SIZE above 2^24-1', [setting(5, 2 ** 24)], connectionError],
    ['ignores unknown settings', [setting(0xff, 1), request(1)], served],
  ],
  '§6.6 PUSH_PROMISE': [
    [
      'rejects PUSH_PROMISE from clients',
      [request(1), frame(push, endHeaders, 1, Buffer.concat([number(2), fields(...usual)]))],
      /^(status 200|goaway 1|closed)$/,
    ],
  ],
  '§6.7 PING': [
    ['rejects PING on a stream', [frame(ping, 0, 1, Buffer.alloc(8))], connectionError],
    ['rejects PING with a length other than 8', [frame(ping, 0, 0, Buffer.alloc(6))], connectionError],
  ],
  '§6.8 GOAWAY': [['rejects GOAWAY on a stream', [frame(goAway, 0, 1, Buffer.alloc(8))], connectionError]],
  '§6.9 WINDOW_UPDATE': [
    [
      'rejects a WINDOW_UPDATE increment of 0 for the connection',
      [frame(windowUpdate, 0, 0, number(0))],
      connectionError,
    ],
    [
      'rejects a WINDOW_UPDATE increment of 0 for a stream',
      [open(1), frame(windowUpdate, 0, 1, number(0))],
      streamError,
    ],
    ['rejects WINDOW_UPDATE with a length other than 4', [frame(windowUpdate, 0, 0, bytes(0, 0, 1))], connectionError],
    ['rejects a connection window above 2^31-1', [frame(windowUpdate, 0, 0, number(2 ** 31 - 1))], connectionError],
    ['rejects a stream window above 2^31-1', [open(1), frame(windowUpdate, 0, 1, number(2 ** 31 - 1))], streamError],
  ],
  '§8 requests': [
    ['rejects uppercase field names', [malformed(fields(...usual, ['X-A', 'b']))], refusal],
    [
      'rejects pseudo-header fields after other fields',
      [malformed(fields(...usual.slice(0, 3), ['x-a', 'b'], usual[3] ?? ['', '']))],
      refusal,
    ],
    ['rejects unknown pseudo-header fields', [malformed(fields(...usual, [':nope', 'b']))], refusal],
    ['rejects :status in a request', [malformed(fields(...usual, [':status', '200']))], refusal],
    ['rejects a duplicate :path', [malformed(fields(...usual, [':path', '/b']))], refusal],
    [
      'rejects an empty :path',
      [malformed(fields(usual[0] ?? ['', ''], usual[1] ?? ['', ''], [':path', ''], usual[3] ?? ['', '']))],
      refusal,
    ],
    ['rejects requests without :method', [malformed(without(':method'))], refusal],
    ['rejects requests without :scheme', [malformed(without(':scheme'))], refusal],
    ['rejects requests without :path', [malformed(without(':path'))], refusal],
    ['rejects connection-specific fields', [malformed(fields(...usual, ['connection', 'close']))], refusal],
    ['rejects TE values other than trailers', [malformed(fields(...usual, ['te', 'gzip']))], refusal],
    ['accepts TE: trailers', [malformed(fields(...usual, ['te', 'trailers']))], served],
    [
      'rejects pseudo-header fields in trailers',
      [post('1'), frame(data, 0, 1, bytes(1)), frame(headers, endHeaders | endStream, 1, fields([':path', '/']))],
      refusal,
    ],
    ['rejects a body that is shorter than Content-Length', [post('5'), frame(data, endStream, 1, bytes(1))], refusal],
    [
      'rejects a body that is longer than Content-Length',
      [post('1'), frame(data, endStream, 1, bytes(1, 2, 3))],
      refusal,
    ],
  ],
};
