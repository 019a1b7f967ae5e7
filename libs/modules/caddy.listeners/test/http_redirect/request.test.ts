import { expect } from 'chai';
import { locationOf, looksLikeHttp } from '../../src/http_redirect/request.ts';

describe('detection of plain HTTP on a TLS port', () => {
  const beginnings: readonly (readonly [string, boolean | null])[] = [
    ['GET / HTTP/1.1', true],
    ['DELETE /x', true],
    ['OPTIONS /', true],
    ['OPTIONS *', false],
    ['GET http://a/', false],
    ['PRI * HTTP/2.0', false],
    ['PROXY TCP4', false],
    ['CONNECT a:443', false],
    ['get /', false],
    ['\x16\x03\x01', false],
    ['G', null],
    ['GET ', null],
    ['P', null],
    ['PA', null],
  ];
  for (const [bytes, expected] of beginnings) {
    it(`looksLikeHttp returns ${expected ?? 'null'} for ${JSON.stringify(bytes)}`, () => {
      expect(looksLikeHttp(Buffer.from(bytes, 'latin1'), bytes.length)).to.equal(expected);
    });
  }

  const heads: readonly (readonly [string, string | null])[] = [
    ['GET /x?y=1 HTTP/1.1\r\nHost: a.test', 'https://a.test/x?y=1'],
    ['GET / HTTP/1.1\r\nAccept: */*\r\nhost:a.test:8080 ', 'https://a.test:8080/'],
    ['GET / HTTP/1.0\r\nHost: [::1]:80', 'https://[::1]:80/'],
    ['GET /a%20b//c/../d HTTP/1.1\r\nHost: a', 'https://a/a%20b//c/../d'],
    ['GET / HTTP/1.1', null],
    ['GET / HTTP/1.1\r\nHost:', null],
    ['GET / HTTP/1.1\r\nHost: a b', null],
    ['GET / HTTP/1.1\r\nHost: a/b', null],
    ['GET / HTTP/1.1\r\nHost: a\r\nHost: b', null],
    ['GET /\x01 HTTP/1.1\r\nHost: a', null],
    ['GET / HTTP/2.0\r\nHost: a', null],
    ['GET /\nLocation: x HTTP/1.1\r\nHost: a', null],
  ];
  for (const [head, location] of heads) {
    it(`locationOf returns ${location ?? 'null'} for ${JSON.stringify(head)}`, () => {
      expect(locationOf(head)).to.equal(location);
    });
  }
});
