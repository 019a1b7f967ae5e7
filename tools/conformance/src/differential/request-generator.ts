/** Generates client requests: methods, targets, fields and body framings, including some that no client should send. */
import { chunked, contents } from './bodies.ts';
import type { Bytes } from './pair.ts';
import type { Random } from './random.ts';

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'BREW'];
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const targets = [
  '',
  '/',
  '/a/b',
  '/a%2Fb',
  '//double',
  '/a/./b/../c',
  '/sp%20ace',
  '/semi;colon=1',
  '/%61%7e',
  '/uml%C3%A4ut',
  '/pipe|"quote',
  '/q?a=1&b=2',
  '/q?',
  '/q?a=%zz&b;c',
  '/q?a=1?b=2',
  '/q?x=%20+%2B',
];

/** Header field lines that may appear in any request. */
const fields = [
  'User-Agent: pair/1.0',
  'User-Agent: ',
  'Accept: */*',
  'Accept: text/html;q=0.8, application/json',
  'Accept-Encoding: gzip',
  'Accept-Encoding: br, gzip;q=0.5',
  'Accept-Encoding: identity',
  'Accept-Encoding:',
  'accept-language: de, en;q=0.5',
  'Authorization: Basic dTpw',
  'Cookie: a=1; b=2',
  'Cookie: c=3',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: X-Hop',
  'Connection: keep-alive, x-hop',
  'Connection: Upgrade',
  'X-Hop: gone',
  'Keep-Alive: timeout=5',
  'Proxy-Connection: keep-alive',
  'Proxy-Authorization: Basic eDp5',
  'Proxy-Authenticate: Basic',
  'TE: trailers',
  'TE: gzip, trailers;q=0.5',
  'TE: gzip',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Via: 1.0 fred',
  'Via: 1.1 a, 1.1 b',
  'Forwarded: for=192.0.2.1;proto=https',
  'X-Forwarded-For: 192.0.2.1',
  'X-Forwarded-For: 192.0.2.2, 192.0.2.3',
  'X-Forwarded-Host: other.test',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 8443',
  'X-Real-IP: 192.0.2.9',
  'Range: bytes=0-9',
  'If-None-Match: "e"',
  'If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT',
  'Origin: https://o.test',
  'Referer: https://r.test/x',
  'X-Empty:',
  'X-Empty:   ',
  'X-Twice: 1',
  'X-Twice: 2',
  'x-lOwEr: mixed',
  'X-Latin: caf\xe9',
  'X-Tab: a\tb',
  'X-Spaces:    around   ',
  'X_Under: score',
  'X.Dot: t',
  'Cache-Control: no-cache',
  'Pragma: no-cache',
  'DNT: 1',
  `X-Long: ${'l'.repeat(3000)}`,
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Max-Forwards: 3',
];

export interface MadeRequest {
  readonly method: string;
  readonly bytes: Bytes;
  readonly notes: readonly string[];
}

/** Generates a request for the pair with the given number. */
export function makeRequest(random: Random, route: string, number: number): MadeRequest {
  const method = random.pick(methods);
  const target = `/${route}/p${number}${random.pick(targets)}`;
  const old = random.chance(0.05);
  const lines = random.some(fields, 8);
  if (!old || random.chance(0.5)) lines.splice(random.integer(0, lines.length), 0, 'Host: pair.test');
  const start = `${method} ${target} HTTP/1.${old ? 0 : 1}`;
  if (random.chance(0.04)) return { method, ...oddRequest(random, start, lines) };
  const { extra, body, note } = old ? { extra: [], body: '', note: 'HTTP/1.0' } : makeBody(random, method);
  return { method, bytes: `${[start, ...lines, ...extra].join('\r\n')}\r\n\r\n${body}`, notes: [note] };
}

interface MadeBody {
  readonly extra: readonly string[];
  readonly body: Bytes;
  readonly note: string;
}

function makeBody(random: Random, method: string): MadeBody {
  const wanted = random.chance(withBody.has(method) ? 0.85 : 0.15);
  if (!wanted) {
    if (random.chance(0.2)) return { extra: ['Content-Length: 0'], body: '', note: 'length 0' };
    return { extra: [], body: '', note: 'no body' };
  }
  const content = random.pick(contents);
  const expects = random.chance(0.1) ? ['Expect: 100-continue'] : [];
  if (random.chance(0.5))
    return { extra: [...expects, `Content-Length: ${content.length}`], body: content, note: 'body of a length' };
  const trailers = random.chance(0.3) ? ['X-Trailer: t'] : [];
  const announced = trailers.length > 0 && random.chance(0.7) ? ['Trailer: X-Trailer'] : [];
  const extra = [...expects, ...announced, 'Transfer-Encoding: chunked'];
  return { extra, body: chunked(content, random, trailers), note: 'chunked body' };
}

/** Generates request smuggling attempts and other requests that a proxy must reject or neutralize. */
function oddRequest(random: Random, start: string, lines: readonly string[]): { bytes: Bytes; notes: string[] } {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const [note, extra, body] = random.pick<readonly [string, readonly string[], Bytes]>([
    ['two lengths', ['Content-Length: 3', 'Content-Length: 4'], 'abcd'],
    ['equal lengths', ['Content-Length: 3', 'Content-Length: 3'], 'abc'],
    ['a list of lengths', ['Content-Length: 3, 3'], 'abc'],
    ['length with a sign', ['Content-Length: +3'], 'abc'],
    ['length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['unknown coding', ['Transfer-Encoding: gzip'], ''],
    ['coding with a space', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['coding with a tail', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['two hosts', ['Host: a.test', 'Host: b.test'], ''],
    ['folded field', ['X-Fold: a', ' b'], ''],
    ['name with a space', ['X Name: v'], ''],
    ['bare carriage return', ['X-Bare: a\rb'], ''],
    ['control character', ['X-Nul: a\0b'], ''],
    ['bad chunk size', ['Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'],
    ['chunk size with a sign', ['Transfer-Encoding: chunked'], '+3\r\nabc\r\n0\r\n\r\n'],
    ['chunk that is too long', ['Transfer-Encoding: chunked'], '2\r\nabc\r\n0\r\n\r\n'],
  ]);
  return { bytes: `${[start, ...lines, ...extra].join('\r\n')}\r\n\r\n${body}`, notes: [note] };
}
