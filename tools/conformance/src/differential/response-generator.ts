/** Generates upstream responses: statuses, fields, interim responses, framings, trailers, and malformed responses. */
import { brokenResponse } from './broken-responses.ts';
import { chunked, contents, zipped } from './bodies.ts';
import type { Bytes } from './pair.ts';
import type { Random } from './random.ts';
import type { MadeResponse } from './made-response.ts';

const statuses = [
  200, 200, 200, 200, 201, 202, 203, 204, 204, 205, 206, 226, 299, 300, 301, 302, 303, 304, 304, 307, 308, 399, 400,
  401, 403, 404, 405, 407, 410, 416, 418, 422, 426, 429, 451, 499, 500, 501, 502, 503, 504, 505, 511, 599, 600, 999,
];

/** Header field lines that may appear in any response. */
const fields = [
  'Server: up/1',
  'Date: Sun, 06 Nov 1994 08:49:37 GMT',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-8',
  'Content-Type: text/event-stream',
  'Content-Type: ',
  'Content-Language: de',
  'Content-Disposition: attachment; filename="x"',
  'Cache-Control: max-age=60',
  'ETag: "e"',
  'ETag: W/"w"',
  'Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT',
  'Expires: 0',
  'Vary: Accept-Encoding',
  'Location: /elsewhere?a=1',
  'Set-Cookie: a=1; Path=/',
  'Set-Cookie: b=2; HttpOnly',
  'WWW-Authenticate: Basic realm="r"',
  'Proxy-Authenticate: Basic',
  'Allow: GET, HEAD',
  'Retry-After: 5',
  'Accept-Ranges: bytes',
  'Alt-Svc: h3=":443"',
  'Strict-Transport-Security: max-age=1',
  'Via: 1.1 fred',
  'Connection: keep-alive',
  'Connection: X-Named',
  'Connection: keep-alive, X-Named',
  'X-Named: v',
  'Keep-Alive: timeout=5',
  'Keep-Alive: timeout=5, max=100',
  'Proxy-Connection: keep-alive',
  'Te: trailers',
  'Upgrade: h2c',
  'Link: </a.css>; rel=preload',
  'x-lOwEr: mixed',
  'X-Empty:',
  'X-Twice: 1',
  'X-Twice: 2',
  'X-Latin: caf\xe9',
  'X-Utf: caf\xc3\xa9',
  'X-Tab: a\tb',
  'X-Spaces:    around   ',
  'X_Under: score',
  'X-Colon: a:b:c',
  `X-Long: ${'l'.repeat(3000)}`,
];

const interim = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </b.js>; rel=preload\r\nX-Hint: h\r\n\r\n',
];

/** Generates a response to a request with the given method. */
export function makeResponse(random: Random, method: string): MadeResponse {
  if (random.chance(0.16)) return brokenResponse(random, method);
  const status = random.pick(statuses);
  const old = random.chance(0.06);
  const reason = random.chance(0.15) ? random.pick(['', ' ', ' Odd Reason', ' caf\xe9']) : ' Reason';
  const start = `HTTP/1.${old ? 0 : 1} ${status}${reason}`;
  // A response whose connection will be closed must not announce keep-alive. Otherwise, the server could send another request on that
  // connection and lose it.
  const lines = random.some(fields, 7).filter((line) => !old || !line.startsWith('Connection:'));
  const { extra, body, closes, note } = makeBody(random, method, status, old);
  const before = old || random.chance(0.8) ? [] : random.some(interim, 3);
  const final = `${[start, ...lines, ...extra].join('\r\n')}\r\n\r\n${body}`;
  return {
    response: { pieces: [...before, ...cutUp(random, final)], then: closes ? 'end' : 'keep' },
    notes: [String(status), note, ...(before.length > 0 ? [`${before.length} interim`] : [])],
  };
}

/** Randomly splits some responses into several pieces. */
function cutUp(random: Random, bytes: Bytes): Bytes[] {
  if (!random.chance(0.2) || bytes.length < 4) return [bytes];
  const at = random.integer(1, bytes.length - 1);
  return [bytes.slice(0, at), bytes.slice(at)];
}

interface MadeBody {
  readonly extra: readonly string[];
  readonly body: Bytes;
  readonly closes: boolean;
  readonly note: string;
}

function makeBody(random: Random, method: string, status: number, old: boolean): MadeBody {
  const content = random.pick(contents);
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  if (bodiless) {
    const extra = random.pick([
      [],
      [`Content-Length: ${content.length}`],
      ['Transfer-Encoding: chunked'],
      ['Trailer: X-T'],
    ]);
    return {
      extra: status === 204 && method !== 'HEAD' ? extra.slice(1) : extra,
      body: '',
      closes: old,
      note: 'no body',
    };
  }
  const kinds = old
    ? ['length', 'close']
    : ['length', 'length', 'length', 'chunked', 'chunked', 'close', 'empty', 'gzip', 'both'];
  switch (random.pick(kinds)) {
    case 'length': {
      const closes = random.chance(0.2);
      const extra = [...(closes ? ['Connection: close'] : []), `Content-Length: ${content.length}`];
      return { extra, body: content, closes: closes || old, note: 'length' };
    }
    case 'close':
      return { extra: random.pick([[], ['Connection: close']]), body: content, closes: true, note: 'to the end' };
    case 'empty':
      return { extra: ['Content-Length: 0'], body: '', closes: false, note: 'length 0' };
    case 'gzip': {
      const extra = ['Content-Encoding: gzip', `Content-Length: ${zipped.length}`];
      return { extra, body: zipped, closes: false, note: 'gzip' };
    }
    case 'both': {
      const extra = ['Content-Length: 3', 'Transfer-Encoding: chunked'];
      return { extra, body: chunked(content, random), closes: false, note: 'length and chunks' };
    }
    default: {
      const trailers = random.some(['X-T: 1', 'X-U: 2', 'X-T: 3'], 3);
      const extra = trailers.length > 0 && random.chance(0.6) ? ['Trailer: X-T, X-U'] : [];
      return {
        extra: [...extra, 'Transfer-Encoding: chunked'],
        body: chunked(content, random, trailers),
        closes: false,
        note: trailers.length > 0 ? 'chunked with trailers' : 'chunked',
      };
    }
  }
}
