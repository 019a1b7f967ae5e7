/**
 * Responses that no upstream should send: malformed, truncated or contradictory responses, and valid responses that
 * resemble them.
 */
import type { MadeResponse } from './made-response.ts';
import type { PairResponse, Bytes } from './pair.ts';
import type { Random } from './random.ts';

const ok = 'HTTP/1.1 200 OK\r\n';

/** Malformed responses: a description, the bytes, and the subsequent state of the connection. */
const broken: readonly (readonly [note: string, bytes: Bytes, then: PairResponse['then']])[] = [
  ['nothing', '', 'end'],
  ['nothing, reset', '', 'reset'],
  ['no status line', 'hello\r\n\r\n', 'keep'],
  ['half a status line', 'HTTP/1.1 2', 'end'],
  ['unknown protocol', 'HTTQ/1.1 200 OK\r\n\r\n', 'keep'],
  ['lower case protocol', 'http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'keep'],
  ['version without a dot', 'HTTP/1 200 OK\r\n\r\n', 'keep'],
  ['version 2.0', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'keep'],
  ['status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'keep'],
  ['status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'keep'],
  ['status 099', 'HTTP/1.1 099 OK\r\n\r\n', 'keep'],
  ['status with a letter', 'HTTP/1.1 2x0 OK\r\n\r\n', 'keep'],
  ['two spaces before the status', 'HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nhi', 'keep'],
  [
    'unrequested protocol switch',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'keep',
  ],
  ['head truncated', `${ok}Content-Le`, 'end'],
  ['head truncated, reset', `${ok}Content-Length: 5\r\n`, 'reset'],
  ['line without a colon', `${ok}Content-Length 2\r\n\r\nhi`, 'keep'],
  ['line without a name', `${ok}: x\r\n\r\n`, 'keep'],
  ['name with a space', `${ok}X Name: v\r\nContent-Length: 2\r\n\r\nhi`, 'keep'],
  ['space before the colon', `${ok}Content-Length : 2\r\nConnection: close\r\n\r\nhi`, 'end'],
  ['NUL in a value', `${ok}X: a\0b\r\n\r\n`, 'keep'],
  ['bare carriage return in a value', `${ok}X: a\rb\r\n\r\n`, 'keep'],
  ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\nX: y\n\nhi', 'keep'],
  ['folded line', `${ok}X-Fold: a\r\n  b\r\nContent-Length: 2\r\n\r\nhi`, 'keep'],
  ['folded first line', `${ok} X-Fold: a\r\nContent-Length: 2\r\n\r\nhi`, 'keep'],
  ['lengths that differ', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!`, 'keep'],
  ['equal lengths', `${ok}Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi`, 'keep'],
  ['a list of lengths', `${ok}Content-Length: 2, 2\r\n\r\nhi`, 'keep'],
  ['negative length', `${ok}Content-Length: -2\r\n\r\nhi`, 'keep'],
  ['length with a sign', `${ok}Content-Length: +2\r\n\r\nhi`, 'keep'],
  ['length that is not a number', `${ok}Content-Length: 2x\r\n\r\nhi`, 'keep'],
  ['huge length', `${ok}Content-Length: 99999999999999999999\r\n\r\nhi`, 'keep'],
  ['empty length', `${ok}Content-Length: \r\n\r\nhi`, 'end'],
  ['unknown coding', `${ok}Transfer-Encoding: gzip\r\n\r\nhi`, 'keep'],
  ['two codings', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 'keep'],
  ['chunked twice', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 'keep'],
  ['identity', `${ok}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi`, 'keep'],
  ['coding in capitals', `${ok}Transfer-Encoding: CHUNKED\r\n\r\n2\r\nhi\r\n0\r\n\r\n`, 'keep'],
  ['chunks to HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n', 'end'],
  ['body shorter than its length', `${ok}Content-Length: 10\r\n\r\nhi`, 'end'],
  ['body shorter than its length, reset', `${ok}Content-Length: 10\r\n\r\nhi`, 'reset'],
  ['body longer than its length', `${ok}Content-Length: 2\r\n\r\nhi and more`, 'keep'],
  ['second response', `${ok}Content-Length: 2\r\n\r\nhi${ok}Content-Length: 3\r\n\r\nbad`, 'keep'],
  ['chunks without an end', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n`, 'end'],
  ['truncated chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n9\r\nhi`, 'end'],
  ['bad chunk size', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nzz\r\n\r\n`, 'keep'],
  ['chunk size with a sign', `${ok}Transfer-Encoding: chunked\r\n\r\n+2\r\nhi\r\n0\r\n\r\n`, 'keep'],
  ['chunk longer than its size', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi!\r\n0\r\n\r\n`, 'keep'],
  ['chunk size of 17 digits', `${ok}Transfer-Encoding: chunked\r\n\r\n00000000000000002\r\nhi\r\n0\r\n\r\n`, 'keep'],
  ['body for 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi', 'keep'],
  ['body for 304', 'HTTP/1.1 304 Not Modified\r\n\r\nhi', 'keep'],
  ['broken gzip', `${ok}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`, 'keep'],
  ['many fields', `${ok}${'X-Many: v\r\n'.repeat(300)}Content-Length: 2\r\n\r\nhi`, 'keep'],
  ['interim response alone', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 'end'],
  ['truncated trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n`, 'end'],
  ['malformed trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX T\r\n\r\n`, 'keep'],
];

export function brokenResponse(random: Random, method: string): MadeResponse {
  const [note, bytes, then] = random.pick(broken);
  // A response to HEAD has no body. Any further bytes would count as an unexpected second response.
  const sent = method === 'HEAD' ? bytes.replace(/(?<=\r\n\r\n|\n\n).*$/s, '') : bytes;
  return { response: { pieces: [sent], then: sent === bytes ? then : 'keep' }, notes: [note] };
}
