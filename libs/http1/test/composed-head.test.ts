import { expect } from 'chai';
import fc from 'fast-check';
import { HeaderMap } from '@sluice/http1';
import { composeHead } from '../src/composed-head.ts';

function fields(lines: readonly (readonly [string, string])[]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of lines) map.append(name, value);
  return map;
}

describe('http1 composed head', () => {
  it('composeHead writes WebSocket field names with the capitalization of RFC 6455, but only in handshakes', () => {
    const map = fields([
      ['sec-websocket-accept', 'a'],
      ['upgrade', 'websocket'],
    ]);
    expect(composeHead(101, 1, map).text).to.contain('\r\nSec-WebSocket-Accept: a\r\nUpgrade: websocket\r\n');
    expect(composeHead(200, 1, map).text).to.contain('\r\nSec-Websocket-Accept: a\r\n');
  });

  it('composeHead extracts framing fields', () => {
    const head = composeHead(
      200,
      1,
      fields([
        ['content-length', '7'],
        ['content-length', '8'],
        ['transfer-encoding', 'Chunked'],
        ['connection', 'close, X-A'],
        ['connection', 'keep-alive'],
        ['date', 'today'],
        ['trailer', 'x'],
        ['content-encoding', 'gzip'],
        ['etag', '"a"'],
      ]),
    );
    expect(head).to.deep.equal({
      text: 'HTTP/1.1 200 OK\r\nDate: today\r\nTrailer: x\r\nContent-Encoding: gzip\r\nEtag: "a"\r\n',
      declared: 7,
      wantsChunks: true,
      wantsClose: true,
      connection: 'X-A',
      dated: true,
      announced: true,
      untyped: false,
    });
  });

  it('composeHead reports no framing for a head without framing fields', () => {
    const bare = {
      declared: -1,
      wantsChunks: false,
      wantsClose: false,
      connection: '',
      dated: false,
      announced: false,
    };
    expect(composeHead(200, 1, fields([['x-a', '1']]))).to.deep.equal({
      ...bare,
      text: 'HTTP/1.1 200 OK\r\nX-A: 1\r\n',
      untyped: true,
    });
    expect(composeHead(200, 1, fields([['content-type', 'a/b']]))).to.deep.equal({
      ...bare,
      text: 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n',
      untyped: false,
    });
    expect(composeHead(200, 1, fields([['content-encoding', 'br']])).untyped).to.equal(false);
    expect(composeHead(200, 1, fields([['transfer-encoding', 'gzip']])).wantsChunks).to.equal(false);
    expect(composeHead(200, 1, fields([['connection', 'keep-alive, A,, b']])).connection).to.equal('A, b');
    expect(composeHead(200, 1, fields([['content-length', '9'.repeat(15)]])).declared).to.equal(999_999_999_999_999);
    expect(composeHead(200, 1, fields([['content-length', '9'.repeat(16)]])).declared).to.equal(-1);
  });

  it('composeHead accepts only digits as Content-Length', () => {
    const declared = (value: string): number => composeHead(200, 1, fields([['content-length', value]])).declared;
    expect(['0', '10', '9'].map(declared)).to.deep.equal([0, 10, 9]);
    for (const value of ['x5', '5x', '-5', '+5', '1 5', '0x5', '5:', '5/', ''])
      expect(declared(value), value).to.equal(-1);
  });

  it('composeHead returns the cached head for equal fields, unless the head is long', () => {
    for (const [status, minor] of [
      [200, 1],
      [404, 0],
      [500, 1],
    ] as const) {
      const lines = [
        ['x-same', 'a'],
        ['x-other', `${status}`],
      ] as const;
      // Another head may occupy the cache slot. Repeated use replaces it.
      for (let i = 0; i < 20; i++) composeHead(status, minor, fields(lines));
      expect(composeHead(status, minor, fields(lines)) === composeHead(status, minor, fields(lines))).to.equal(true);
    }
    const long = [['x-long', 'a'.repeat(1024)]] as const;
    for (let i = 0; i < 20; i++) composeHead(200, 1, fields(long));
    expect(composeHead(200, 1, fields(long)) === composeHead(200, 1, fields(long))).to.equal(false);
  });

  for (const length of ['', '-1', '1.5', '0x1', '1e3', ' ', '9'.repeat(17)]) {
    it(`composeHead ignores Content-Length ${JSON.stringify(length)}`, () => {
      expect(composeHead(200, 1, fields([['content-length', length]])).declared).to.equal(-1);
    });
  }

  it('composeHead drops the content type of a 304 response, and an empty content type', () => {
    expect(composeHead(304, 1, fields([['content-type', 'a/b']])).text).to.equal('HTTP/1.1 304 Not Modified\r\n');
    expect(composeHead(200, 0, fields([['content-type', '']])).text).to.equal('HTTP/1.0 200 OK\r\n');
  });

  it('composeHead never returns the cached head for different fields', () => {
    // Generates few distinct names, values and lengths, so that hash collisions occur.
    const line = fc.tuple(fc.constantFrom('a', 'b', 'x-c'), fc.constantFrom('1', '2', '10', '11', 'é', ' 1', '1\n'));
    const head = fc.tuple(fc.constantFrom(200, 201), fc.constantFrom(0, 1), fc.array(line, { maxLength: 3 }));
    const clean: Record<string, string> = { é: '\xc3\xa9', ' 1': '1', '1\n': '1' };
    const names: Record<string, string> = { a: 'A', b: 'B', 'x-c': 'X-C' };
    fc.assert(
      fc.property(fc.array(head, { maxLength: 60 }), (heads) => {
        for (const [status, minor, lines] of heads) {
          const reason = status === 200 ? 'OK' : 'Created';
          const expected = lines.map(([name, value]) => `${names[name]}: ${clean[value] ?? value}\r\n`).join('');
          const { text } = composeHead(status, minor, fields(lines));
          expect(text).to.equal(`HTTP/1.${minor} ${status} ${reason}\r\n${expected}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('changing the fields later does not affect a composed head', () => {
    const map = fields([['x-a', '1']]);
    for (let i = 0; i < 20; i++) composeHead(200, 1, map);
    map.set('x-a', '2');
    expect(composeHead(200, 1, map).text).to.include('X-A: 2');
    map.append('x-b', '3');
    expect(composeHead(200, 1, map).text).to.include('X-A: 2\r\nX-B: 3');
    expect(composeHead(200, 1, fields([['x-a', '1']])).text).to.equal('HTTP/1.1 200 OK\r\nX-A: 1\r\n');
  });
});
