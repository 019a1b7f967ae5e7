import { expect } from 'chai';
import { framingOf, HeaderMap, keepAliveTimeout, persists, ResponseParser } from '@sluice/http1';

function response(lines: string, { status = 200, version = 'HTTP/1.1' } = {}): ResponseParser {
  const parser = new ResponseParser(10_000);
  const bytes = Buffer.from(`${version} ${status} X\r\n${lines}\r\n`, 'latin1');
  expect(parser.feed(bytes, 0, bytes.length)).to.equal(bytes.length);
  return parser;
}

describe('http1 response framing', () => {
  const old = { version: 'HTTP/1.0' };
  const framings: [lines: string, options: Parameters<typeof response>[1], method: string, framing: unknown][] = [
    ['', {}, 'GET', { chunked: false, length: -1 }],
    ['Content-Length: 0\r\n', {}, 'GET', { chunked: false, length: 0 }],
    ['Content-Length: 1234567890\r\n', {}, 'GET', { chunked: false, length: 1_234_567_890 }],
    ['Content-Length: 7\r\nContent-Length: 07\r\n', {}, 'GET', { chunked: false, length: 7 }],
    ['Content-Length: 0\r\nContent-Length: 1\r\n', {}, 'GET', 'conflicting Content-Length fields'],
    ['Content-Length: 2\r\nContent-Length: 1\r\n', {}, 'GET', 'conflicting Content-Length fields'],
    ['Content-Length: 9007199254740991\r\n', {}, 'GET', { chunked: false, length: Number.MAX_SAFE_INTEGER }],
    ['Content-Length: 9007199254740993\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Content-Length:\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Content-Length: -1\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Content-Length: 1,1\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Content-Length: 1:\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Content-Length: /1\r\n', {}, 'GET', 'Content-Length is not a valid number'],
    ['Transfer-Encoding: chunked\r\n', {}, 'GET', { chunked: true, length: -1 }],
    ['Transfer-Encoding: CHUNKED\r\nContent-Length: 5\r\n', {}, 'GET', { chunked: true, length: -1 }],
    ['Transfer-Encoding: gzip\r\n', {}, 'GET', 'unsupported Transfer-Encoding: "gzip"'],
    [
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
      {},
      'GET',
      'unsupported Transfer-Encoding: "chunked"',
    ],
    ['Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', old, 'GET', { chunked: false, length: 5 }],
    ['Transfer-Encoding: gzip\r\n', old, 'GET', { chunked: false, length: -1 }],
    ['Transfer-Encoding: chunked\r\n', { version: 'HTTP/2.0' }, 'GET', { chunked: true, length: -1 }],
    ['Content-Length: 5\r\n', {}, 'HEAD', { chunked: false, length: 0 }],
    ['Transfer-Encoding: chunked\r\n', {}, 'HEAD', { chunked: false, length: 0 }],
    ['Content-Length: 5\r\n', { status: 204 }, 'GET', { chunked: false, length: 0 }],
    ['Content-Length: 5\r\n', { status: 304 }, 'GET', { chunked: false, length: 0 }],
    ['Content-Length: 5\r\n', { status: 205 }, 'GET', { chunked: false, length: 5 }],
  ];
  for (const [lines, options, method, framing] of framings) {
    it(`framingOf returns ${JSON.stringify(framing)} for ${method} with ${JSON.stringify(lines)} ${JSON.stringify(options)}`, () => {
      expect(framingOf(response(lines, options), method)).to.deep.equal(framing);
    });
  }

  it('framingOf prefers chunked coding and removes Content-Length', () => {
    const parser = response('Content-Length: 5\r\nTransfer-Encoding: chunked\r\nX: y\r\n');
    framingOf(parser, 'GET');
    expect(parser.headers.names).to.deep.equal(['transfer-encoding', 'x']);
    const head = response('Content-Length: 5\r\n');
    framingOf(head, 'HEAD');
    expect(head.headers.names).to.deep.equal(['content-length']);
  });

  const connections: [lines: string, version: string, stays: boolean][] = [
    ['', 'HTTP/1.1', true],
    ['', 'HTTP/1.0', false],
    ['', 'HTTP/2.0', true],
    ['', 'HTTP/0.9', false],
    ['Connection: close\r\n', 'HTTP/1.1', false],
    ['Connection: x\r\n', 'HTTP/1.1', true],
    ['Connection: x\r\n', 'HTTP/1.0', false],
    ['Connection: keep-alive\r\n', 'HTTP/1.0', true],
    ['Connection: x, Keep-Alive\r\n', 'HTTP/1.0', true],
    ['Connection: keep-alive, close\r\n', 'HTTP/1.0', false],
    ['Connection: keep-alive\r\nConnection: close\r\n', 'HTTP/1.1', false],
  ];
  for (const [lines, version, stays] of connections) {
    it(`persists() ${stays ? 'keeps' : 'closes'} the connection after ${version} with ${JSON.stringify(lines)}`, () => {
      expect(persists(response(lines, { version }))).to.equal(stays);
    });
  }

  const timeouts: [value: string | null, milliseconds: number][] = [
    [null, 0],
    ['', 0],
    ['max=5', 0],
    ['timeout=5', 5000],
    ['timeout=0', 1],
    ['max=5, Timeout=65', 65_000],
    ['max=5;timeout=2', 2000],
    ['xtimeout=5', 0],
    ['timeout=x', 0],
  ];
  for (const [value, milliseconds] of timeouts) {
    it(`keepAliveTimeout is ${milliseconds} ms for Keep-Alive: ${value ?? '(none)'}`, () => {
      const headers = new HeaderMap();
      if (value !== null) headers.append('keep-alive', value);
      expect(keepAliveTimeout(headers)).to.equal(milliseconds);
    });
  }
});
