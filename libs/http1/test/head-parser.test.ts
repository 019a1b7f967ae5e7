import { expect } from 'chai';
import fc from 'fast-check';
import { KeptNames } from '../src/kept-names.ts';
import { incomplete, refused } from '../src/field-parser.ts';
import { expectsContinue, expectsNothing, expectsOther, HeadParser } from '../src/head-parser.ts';

const limit = 20 * 1024;

function outcome(parser: HeadParser, result: number): unknown {
  if (result === incomplete) return 'incomplete';
  if (result === refused) return `${parser.refusal.status} ${parser.refusal.reason}`;
  return {
    length: result,
    method: parser.method,
    rawPath: parser.rawPath,
    query: parser.query,
    proto: parser.proto,
    host: parser.host,
    headers: [...parser.headers],
    contentLength: parser.contentLength,
    chunked: parser.chunked,
    keepAlive: parser.keepAlive,
    ambiguous: parser.ambiguous,
    upgrades: parser.upgrades,
    expects: parser.expects,
  };
}

function parse(text: string, kept: readonly string[] = []): HeadParser & { result: number } {
  const parser = Object.assign(new HeadParser(limit), { result: 0 });
  parser.keptNames = new KeptNames(kept);
  const bytes = Buffer.from(text, 'latin1');
  parser.result = parser.feed(bytes, 0, bytes.length);
  return parser;
}

function refusalOf(text: string): string {
  const parser = parse(text);
  return String(outcome(parser, parser.result));
}

const get = (lines: string): string => `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;

describe('http1 head parser', () => {
  it('HeadParser parses a request', () => {
    const parser = parse(
      'POST /a%20b/c?d=e&f HTTP/1.1\r\nHost: Example.com:8080\r\nUser-Agent: x y\r\nACCEPT:*/*\r\nContent-Length: 12\r\n\r\nbody',
    );
    expect(outcome(parser, parser.result)).to.deep.equal({
      length: 105,
      method: 'POST',
      rawPath: '/a%20b/c',
      query: 'd=e&f',
      proto: 'HTTP/1.1',
      host: 'Example.com:8080',
      headers: [
        ['user-agent', 'x y'],
        ['accept', '*/*'],
        ['content-length', '12'],
      ],
      contentLength: 12,
      chunked: false,
      keepAlive: true,
      ambiguous: false,
      upgrades: false,
      expects: expectsNothing,
    });
  });

  describe('HeadParser: request lines', () => {
    const good: [line: string, method: string, rawPath: string, query: string | null, host: string][] = [
      ['GET / HTTP/1.1', 'GET', '/', null, 'h'],
      ['get /x HTTP/1.1', 'get', '/x', null, 'h'],
      ["M-SEARCH!#$%&'*+.^_`|~ /x HTTP/1.1", "M-SEARCH!#$%&'*+.^_`|~", '/x', null, 'h'],
      ['GET /? HTTP/1.1', 'GET', '/', '', 'h'],
      ['GET /a?b?c=%zz HTTP/1.1', 'GET', '/a', 'b?c=%zz', 'h'],
      ['GET //x/../y/. HTTP/1.1', 'GET', '//x/../y/.', null, 'h'],
      ['GET /%c3%A9/%2f HTTP/1.1', 'GET', '/%c3%A9/%2f', null, 'h'],
      ['GET /[x]!$HTTP HTTP/1.1', 'GET', '/[x]!$HTTP', null, 'h'],
      ['GET /a"b<> HTTP/1.1', 'GET', '/a%22b%3C%3E', null, 'h'],
      ['GET /a#b?c#d HTTP/1.1', 'GET', '/a%23b', 'c#d', 'h'],
      ['GET /\xe9%c3%a9 HTTP/1.1', 'GET', '/%E9%C3%A9', null, 'h'],
      ['GET /?\xc3\xa9\xe9 HTTP/1.1', 'GET', '/', 'é\udce9', 'h'],
      ['GET * HTTP/1.1', 'GET', '*', null, 'h'],
      ['GET http://abs.test/p?q HTTP/1.1', 'GET', '/p', 'q', 'abs.test'],
      ['GET HTTP://A:1 HTTP/1.1', 'GET', '/', null, 'A:1'],
      ['GET http://h?q HTTP/1.1', 'GET', '/', 'q', 'h'],
      ['GET http://u:p@host/x HTTP/1.1', 'GET', '/x', null, 'host'],
      ["GET http://-._~!$&'()*+,;=:%40@b@host/x HTTP/1.1", 'GET', '/x', null, 'host'],
      ['GET http://@host/x HTTP/1.1', 'GET', '/x', null, 'host'],
      ['GET http://[::1]:80/x HTTP/1.1', 'GET', '/x', null, '[::1]:80'],
      ['GET http:///x HTTP/1.1', 'GET', '/x', null, 'h'],
      ['GET http:/x HTTP/1.1', 'GET', '/x', null, 'h'],
      ['CONNECT host:443 HTTP/1.1', 'CONNECT', '/', null, 'host:443'],
      ['CONNECT /x?y HTTP/1.1', 'CONNECT', '/x', 'y', 'h'],
      ['GET /x HTTP/1.2', 'GET', '/x', null, 'h'],
    ];
    for (const [line, method, rawPath, query, host] of good) {
      it(`HeadParser accepts ${JSON.stringify(line)}`, () => {
        const parser = parse(`${line}\r\nHost: h\r\n\r\n`);
        expect(parser.result, parser.refusal.reason).to.be.greaterThan(0);
        expect([parser.method, parser.rawPath, parser.query, parser.host]).to.deep.equal([
          method,
          rawPath,
          query,
          host,
        ]);
      });
    }

    const targets: [line: string, target: string | null][] = [
      ['GET /a?b HTTP/1.1', null],
      ['GET /%2f%41?b"c HTTP/1.1', null],
      ['GET /a"b?c" HTTP/1.1', '/a"b?c"'],
      ['GET /\xc3\xa4 HTTP/1.1', '/\u00e4'],
      ['GET http://a.test/p?q HTTP/1.1', 'http://a.test/p?q'],
    ];
    for (const [line, target] of targets) {
      it(`HeadParser preserves the target of ${JSON.stringify(line)}`, () => {
        expect(parse(`${line}\r\nHost: h\r\n\r\n`).target).to.equal(target);
      });
    }

    const bad = [
      'GET  / HTTP/1.1',
      ' GET / HTTP/1.1',
      'GET / HTTP/1.1 ',
      'GET /',
      'GET / ',
      'GET',
      '',
      'G@T / HTTP/1.1',
      'G\xe9T / HTTP/1.1',
      'GET /a b HTTP/1.1',
      'GET /a\tb HTTP/1.1',
      'GET /a\tHTTP/1.1',
      'GET /a\rHTTP/1.1',
      'GET  HTTP/1.1',
      'GET /a\x01 HTTP/1.1',
      'GET /a\x7f HTTP/1.1',
      'GET /?a\x00 HTTP/1.1',
      'GET /% HTTP/1.1',
      'GET /%2 HTTP/1.1',
      'GET /%2x HTTP/1.1',
      'GET /"%zz HTTP/1.1',
      'GET foo HTTP/1.1',
      'GET ?x HTTP/1.1',
      'GET ** HTTP/1.1',
      'GET :x HTTP/1.1',
      'GET 1http://a/ HTTP/1.1',
      'GET mailto:x HTTP/1.1',
      'GET http://h|x/ HTTP/1.1',
      'GET http://h%41/ HTTP/1.1',
      'GET http://b\\@c/ HTTP/1.1',
      'GET http://b"@c/ HTTP/1.1',
      'GET http://b[@c/ HTTP/1.1',
      'GET http://b#x@c/ HTTP/1.1',
      'GET http://b\xc3\xa4@c/ HTTP/1.1',
      'GET http://b%zz@c/ HTTP/1.1',
      'GET http://b%@c/ HTTP/1.1',
      'GET http://h:x/ HTTP/1.1',
      'GET http://[::1/ HTTP/1.1',
      'GET http://h/%zz HTTP/1.1',
      'CONNECT http://q/ HTTP/1.1',
      'GET / http/1.1',
      'GET / HTTP/1.10',
      'GET / HTTP/11',
      'GET / HTTP/1.',
      'GET / HTTPS/1.1',
      'GET / HTTP/a.1',
    ];
    for (const line of bad) {
      it(`HeadParser rejects ${JSON.stringify(line)}`, () => {
        expect(refusalOf(`${line}\r\nHost: h\r\n\r\n`)).to.equal('400 Bad Request');
      });
    }

    it('HeadParser rejects an invalid byte in the version as soon as it arrives', () => {
      const line = 'GET / HTTP/1.1\r\n';
      const allowed = /^GET \/ (H|HT|HTT|HTTP|HTTP\/|HTTP\/\d|HTTP\/\d\.|HTTP\/\d\.\d|HTTP\/\d\.\d\r)$/;
      for (let at = 'GET / '.length; at < line.length - 1; at++) {
        for (let byte = 0; byte < 256; byte++) {
          // A bare line feed is a valid line ending, so this position is skipped.
          if (byte === 0x0a && at === line.length - 2) continue;
          const begun = line.slice(0, at) + String.fromCharCode(byte);
          expect(refusalOf(begun), `${at} ${byte}`).to.equal(allowed.test(begun) ? 'incomplete' : '400 Bad Request');
        }
      }
    });

    for (const version of ['HTTP/2.0', 'HTTP/0.9', 'HTTP/3.1']) {
      it(`HeadParser responds with 505 to ${version}`, () => {
        expect(refusalOf(`GET / ${version}\r\nHost: h\r\n\r\n`)).to.equal(
          '505 HTTP Version Not Supported: unsupported protocol version',
        );
      });
    }
  });

  describe('HeadParser: header fields', () => {
    const values: [line: string, value: string | undefined][] = [
      ['X: a', 'a'],
      ['X:a', 'a'],
      ['X:', ''],
      ['X:  \t ', ''],
      ['X: \t a b \t ', 'a b'],
      ['X: a\tb', 'a\tb'],
      ['X: a\r\n b', 'a b'],
      ['X: a\r\n\t\tb\r\n  c', 'a b c'],
      ['X: a\r\n \r\nY: b', 'a'],
      ['X: \xc3\xa9', 'é'],
      ['X: \xe9', '\udce9'],
      ['x: a\nY: b', 'a'],
    ];
    for (const [line, value] of values) {
      it(`HeadParser parses ${JSON.stringify(line)}`, () => {
        const parser = parse(get(`${line}\r\n`));
        expect(parser.result, parser.refusal.reason).to.be.greaterThan(0);
        expect(parser.headers.get('x')).to.equal(value);
      });
    }

    const bad: [lines: string, refusal: string][] = [
      ['X Y: z', '400 Bad Request: invalid header name'],
      ['X : z', '400 Bad Request: invalid header name'],
      ['X', '400 Bad Request'],
      [': z', '400 Bad Request'],
      ['X@: z', '400 Bad Request'],
      ['X\xe9: z', '400 Bad Request'],
      ['X\t: z', '400 Bad Request'],
      ['X: a\x00b', '400 Bad Request'],
      ['X: a\x01', '400 Bad Request'],
      ['X: a\x7f', '400 Bad Request'],
      ['X: a\rb', '400 Bad Request'],
      ['X: a\r\n b\x00', '400 Bad Request'],
      ['Host: a', '400 Bad Request'],
      ['Content-Length: -1', '400 Bad Request'],
      ['Content-Length: +3', '400 Bad Request'],
      ['Content-Length: 1x', '400 Bad Request'],
      ['Content-Length: 0x3', '400 Bad Request'],
      ['Content-Length: 1e1', '400 Bad Request'],
      ['Content-Length:', '400 Bad Request'],
      ['Content-Length: 3, 3', '400 Bad Request'],
      ['Content-Length: 3\r\nContent-Length: 4', '400 Bad Request'],
      ['Content-Length: 3\r\nContent-Length: 03', '400 Bad Request'],
      ['Content-Length: 9007199254740992', '400 Bad Request'],
      ['Content-Length: x\r\nTransfer-Encoding: chunked', '400 Bad Request'],
      ['Transfer-Encoding: gzip', '501 Not Implemented'],
      ['Transfer-Encoding: gzip, chunked', '501 Not Implemented'],
      ['Transfer-Encoding: chunked, chunked', '501 Not Implemented'],
      ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '501 Not Implemented'],
      ['Transfer-Encoding: "chunked"', '501 Not Implemented'],
      ['Transfer-Encoding: chunked,', '501 Not Implemented'],
      ['Transfer-Encoding: xchunked', '501 Not Implemented'],
      ['Transfer-Encoding:', '501 Not Implemented'],
      ['Transfer-Encoding: chunked\r\n ', '501 Not Implemented'],
      ['Transfer-Encoding: \x0bchunked', '400 Bad Request'],
    ];
    for (const [lines, refusal] of bad) {
      it(`HeadParser rejects ${JSON.stringify(lines)}`, () => {
        expect(refusalOf(get(`${lines}\r\n`))).to.equal(refusal);
      });
    }

    it('HeadParser rejects a folded line without a preceding line', () => {
      expect(refusalOf('GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n')).to.equal('400 Bad Request');
    });

    it('HeadParser preserves the order of repeated fields', () => {
      const parser = parse(get('X: 1\r\nY: 2\r\nx: 3\r\n'));
      expect([...parser.headers]).to.deep.equal([
        ['x', '1'],
        ['y', '2'],
        ['x', '3'],
      ]);
    });

    it('HeadParser drops fields whose names contain underscores or dots, unless the names are explicitly allowed', () => {
      const lines = 'X_Y: 1\r\nX.Z: 2\r\nA_B: 3\r\nA-B: 4\r\nX-Y: 5\r\n';
      expect([...parse(get(lines)).headers]).to.deep.equal([
        ['a-b', '4'],
        ['x-y', '5'],
      ]);
      expect([...parse(get(lines), ['a_b']).headers]).to.deep.equal([
        ['a_b', '3'],
        ['x-y', '5'],
      ]);
    });

    it('HeadParser merges identical Content-Length fields', () => {
      const parser = parse(get('Content-Length: 3\r\nContent-Length: 3\r\n'));
      expect(parser.contentLength).to.equal(3);
      expect(parser.headers.all('content-length')).to.deep.equal(['3']);
    });

    it('HeadParser prefers chunked coding to Content-Length and marks the request as ambiguous', () => {
      const parser = parse(get('Content-Length: 3\r\nTransfer-Encoding: Chunked\r\n'));
      expect([parser.chunked, parser.contentLength, parser.ambiguous]).to.deep.equal([true, -1, true]);
      expect([...parser.headers]).to.deep.equal([]);
    });

    it('HeadParser ignores transfer codings in HTTP/1.0 and marks the request as ambiguous', () => {
      const parser = parse('POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n');
      expect([parser.chunked, parser.contentLength, parser.ambiguous]).to.deep.equal([false, 5, true]);
    });
  });

  describe('HeadParser: hosts', () => {
    const good = ['a', 'a.', '..a', 'A.b-c:80', '[::1]:80', 'a_b:99999', 'a,b', "a!$&'()*+;=~%", ''];
    for (const host of good) {
      it(`HeadParser accepts host ${JSON.stringify(host)}`, () => {
        const parser = parse(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        expect(parser.result, parser.refusal.reason).to.be.greaterThan(0);
        expect(parser.host).to.equal(host);
        expect(parser.headers.has('host')).to.equal(false);
      });
    }
    for (const target of ['http://../a', 'http://.:80/']) {
      // Attack in docs/security.md: Ambiguous `Content-Length`, `Transfer-Encoding` and `Expect` fields, and ambiguous request targets.
      it(`HeadParser rejects the target ${target}`, () => {
        expect(refusalOf(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).to.equal('400 Bad Request');
      });
    }
    for (const host of [
      'a b',
      'a/b',
      'a@b',
      'a?b',
      'a#b',
      'a\\b',
      'a"b',
      '<a>',
      'a|b',
      'a^',
      'a`',
      '{a}',
      '\xe9',
      '.',
      '..',
      '...:80',
    ]) {
      it(`HeadParser rejects host ${JSON.stringify(host)}`, () => {
        expect(refusalOf(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).to.equal('400 Bad Request: malformed Host header');
      });
    }

    it('HeadParser requires a Host field in HTTP/1.1, but not in HTTP/1.0', () => {
      expect(refusalOf('GET / HTTP/1.1\r\nX: y\r\n\r\n')).to.equal('400 Bad Request: missing required Host header');
      expect(refusalOf('GET http://h/ HTTP/1.1\r\n\r\n')).to.equal('400 Bad Request: missing required Host header');
      expect(parse('GET / HTTP/1.0\r\n\r\n').result).to.equal(18);
    });
  });

  describe('HeadParser: connection persistence', () => {
    const cases: [request: string, keepAlive: boolean, upgrades: boolean][] = [
      [get(''), true, false],
      [get('Connection: close\r\n'), false, false],
      [get('Connection: x, CLOSE\r\n'), false, false],
      [get('Connection: keep-alive\r\nConnection: close\r\n'), false, false],
      [get('Connection: close\r\nConnection: keep-alive\r\n'), false, false],
      [get('Connection: close\r\nConnection: keep-alive, x\r\n'), false, false],
      [get('Connection: Upgrade\r\n'), true, true],
      [get('Connection: keep-alive, upgrade\r\n'), true, true],
      ['GET / HTTP/1.0\r\n\r\n', false, false],
      ['GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', true, false],
      ['GET / HTTP/1.0\r\nConnection: Keep-Alive, x\r\n\r\n', true, false],
      ['GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n', false, false],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', true, true],
    ];
    for (const [request, keepAlive, upgrades] of cases) {
      it(`HeadParser ${keepAlive ? 'keeps the connection' : 'closes the connection'} after ${JSON.stringify(request)}`, () => {
        const parser = parse(request);
        expect([parser.keepAlive, parser.upgrades]).to.deep.equal([keepAlive, upgrades]);
      });
    }

    it('HeadParser recognizes Expect: 100-continue', () => {
      expect(parse(get('Expect: 100-Continue\r\n')).expects).to.equal(expectsContinue);
      expect(parse(get('Expect: 200-ok\r\n')).expects).to.equal(expectsOther);
      const { expects } = parse(get('Expect:\r\n'));
      expect(expects).to.equal(expectsNothing);
      expect([expectsContinue, expectsOther]).not.to.include(expects);
    });

    // Attack in docs/security.md: Ambiguous `Content-Length`, `Transfer-Encoding` and `Expect` fields, and ambiguous request targets.
    it('HeadParser uses the first Expect field and finds 100-continue in a list', () => {
      expect(parse(get('Expect: 200-ok\r\nExpect: 100-continue\r\n')).expects).to.equal(expectsOther);
      expect(parse(get('Expect: 100-continue\r\nExpect: 200-ok\r\n')).expects).to.equal(expectsContinue);
      expect(parse(get('Expect:\r\nExpect: 200-ok\r\n')).expects).to.equal(expectsNothing);
      expect(parse(get('Expect: x, 100-continue\r\n')).expects).to.equal(expectsContinue);
      expect(parse(get('Expect: x100-continue\r\n')).expects).to.equal(expectsOther);
    });

    // Attack in docs/security.md: Ambiguous `Content-Length`, `Transfer-Encoding` and `Expect` fields, and ambiguous request targets.
    it('HeadParser accepts only ASCII letters and whitespace in connection options', () => {
      const longS = Buffer.from('clo\u017fe').toString('latin1');
      const kelvin = Buffer.from('\u212aeep-alive').toString('latin1');
      expect(parse(get(`Connection: ${longS}\r\n`)).keepAlive).to.equal(true);
      expect(parse(get('Connection: close\xc2\xa0\r\n')).keepAlive).to.equal(true);
      expect(parse(`GET / HTTP/1.0\r\nConnection: ${kelvin}\r\n\r\n`).keepAlive).to.equal(false);
      expect(parse(get('Connection: x,\tCLOSE\r\n')).keepAlive).to.equal(false);
    });
  });

  describe('HeadParser: limits', () => {
    it('HeadParser rejects a head above the size limit, whether the head is complete or not', () => {
      expect(refusalOf(get(`X: ${'a'.repeat(limit)}\r\n`))).to.equal('431 Request Header Fields Too Large');
      expect(refusalOf(`GET /${'a'.repeat(limit)}`)).to.equal('431 Request Header Fields Too Large');
    });

    it('HeadParser rejects a head that grows beyond the size limit', () => {
      const parser = new HeadParser(100);
      const bytes = Buffer.from(get(`X: ${'a'.repeat(200)}\r\n`));
      let result: number = incomplete;
      for (let i = 0; i < bytes.length && result === incomplete; i++) result = parser.feed(bytes, i, i + 1);
      expect(outcome(parser, result)).to.equal('431 Request Header Fields Too Large');
    });

    it('HeadParser rejects an unterminated head that exceeds the size limit, regardless of how it is split', () => {
      const bytes = Buffer.alloc(300, 'G');
      for (const size of [1, 60, 99, 100]) {
        const parser = new HeadParser(100);
        for (let at = 0; at + size <= 100; at += size) expect(parser.feed(bytes, at, at + size)).to.equal(incomplete);
        const rest = 100 % size;
        if (rest > 0) expect(parser.feed(bytes, 0, rest)).to.equal(incomplete);
        expect(outcome(parser, parser.feed(bytes, 0, 1)), `${size}`).to.equal('431 Request Header Fields Too Large');
      }
    });

    it('HeadParser accepts a head whose size equals the limit', () => {
      const bytes = Buffer.from(get(`X: ${'a'.repeat(50)}\r\n`));
      const parser = new HeadParser(bytes.length);
      expect(parser.feed(bytes, 0, bytes.length)).to.equal(bytes.length);
      const split = new HeadParser(bytes.length);
      expect(split.feed(bytes, 0, 20)).to.equal(incomplete);
      expect(split.feed(bytes, 20, bytes.length)).to.equal(bytes.length);
    });

    it('HeadParser rejects a head with too many lines', () => {
      const parser = new HeadParser(1024 * 1024);
      const bytes = Buffer.from(get('a:\r\n'.repeat(2500)));
      expect(outcome(parser, parser.feed(bytes, 0, bytes.length))).to.equal('431 Request Header Fields Too Large');
    });
  });

  const samples = [
    get(''),
    'POST /a%20b?c=\xc3\xa9 HTTP/1.1\r\nHost: Example.com\r\nCookie: a=b\r\nX-Long: aaa\r\n  bbb\r\nContent-Length: 3\r\n\r\n',
    'GET http://u@abs.test:80/p"q HTTP/1.1\nHost: h\nX:\xe9\n\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
    get('Transfer-Encoding: gzip\r\n'),
    get('X: a\rb\r\n'),
    'GET / HTTX/1.1\r\nHost: a\r\n\r\n',
  ];
  for (const sample of samples) {
    it(`HeadParser parses ${JSON.stringify(sample)} identically regardless of how it is split`, () => {
      const bytes = Buffer.from(`${sample}next`, 'latin1');
      const whole = new HeadParser(limit);
      const wholeResult = whole.feed(bytes, 0, bytes.length);
      const expected = outcome(whole, wholeResult);
      for (let cut = 1; cut < sample.length; cut++) {
        const parser = new HeadParser(limit);
        const first = parser.feed(bytes.subarray(0, cut), 0, cut);
        const result = first === incomplete ? parser.feed(bytes, cut, bytes.length) : first;
        expect(outcome(parser, result), `cut at ${cut}`).to.deep.equal(expected);
      }
      const single = new HeadParser(limit);
      let result: number = incomplete;
      for (let i = 0; i < bytes.length && result === incomplete; i++) result = single.feed(bytes, i, i + 1);
      expect(outcome(single, result)).to.deep.equal(expected);
    });
  }

  it('HeadParser returns identical results regardless of how the input is split, and never throws', () => {
    const piece = fc.constantFrom(
      'GET',
      'POST',
      ' ',
      '/',
      '/a?b',
      'HTTP/1.1',
      '\r\n',
      '\n',
      '\r',
      'Host: a',
      'X: y',
      ':',
      'Content-Length: 1',
      '\xe9',
      '%41',
      '%',
      '\0',
      '\t',
      'Transfer-Encoding: chunked',
      'http://h/',
      '*',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 24 }),
        fc.array(fc.nat({ max: 120 }), { maxLength: 6 }),
        (pieces, cuts) => {
          // The parser may detect the reason for rejection only at the end of the line.
          const bytes = Buffer.from(`GET / HTTP/1.1\r\n${pieces.join('')}\n`, 'latin1');
          const start = cuts.length % 2 === 0 ? 16 : 0;
          const whole = new HeadParser(limit);
          const expected = outcome(whole, whole.feed(bytes, start, bytes.length));
          const parser = new HeadParser(limit);
          let result: number = incomplete;
          let from = start;
          for (const cut of [
            ...cuts.map((c) => Math.max(start, Math.min(c, bytes.length))).sort((a, b) => a - b),
            bytes.length,
          ]) {
            if (result !== incomplete) break;
            if (cut > from) result = parser.feed(bytes, from, cut);
            from = cut;
          }
          expect(outcome(parser, result)).to.deep.equal(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('HeadParser parses consecutive heads', () => {
    const parser = new HeadParser(limit);
    const bytes = Buffer.from(
      `${get('Connection: close\r\nContent-Length: 0\r\n')}GET /2 HTTP/1.1\r\nHost: b\r\nX: y\r\n\r\n`,
    );
    const end = parser.feed(bytes, 0, bytes.length);
    parser.next();
    expect(parser.feed(bytes, end, bytes.length)).to.equal(bytes.length);
    expect([parser.rawPath, parser.host, parser.keepAlive, parser.contentLength]).to.deep.equal(['/2', 'b', true, -1]);
    expect([...parser.headers]).to.deep.equal([['x', 'y']]);
  });

  it('HeadParser does not count bytes before the start of the head toward the size limit', () => {
    const before = 'x'.repeat(10 * limit);
    const bytes = Buffer.from(`${before}${get('')}`);
    expect(new HeadParser(limit).feed(bytes, before.length, bytes.length)).to.equal(bytes.length);
  });

  it('HeadParser ends a head at a bare line feed and does not consume subsequent bytes', () => {
    for (const head of [
      'GET / HTTP/1.1\nHost: a\n\n',
      'GET / HTTP/1.1\r\nHost: a\n\n',
      'GET / HTTP/1.1\nHost: a\r\n\r\n',
    ]) {
      const bytes = Buffer.from(`${head}\nGET`);
      expect(new HeadParser(limit).feed(bytes, 0, bytes.length), head).to.equal(head.length);
    }
  });

  it('HeadParser reports whether part of a head has arrived', () => {
    const parser = new HeadParser(limit);
    const bytes = Buffer.from(get('A: b\r\n'));
    expect(parser.begun).to.equal(false);
    for (const cut of [1, bytes.length - 1]) {
      expect(parser.feed(bytes, 0, cut)).to.equal(incomplete);
      expect(parser.begun).to.equal(true);
      expect(parser.feed(bytes, cut, bytes.length)).to.equal(bytes.length);
      expect(parser.begun).to.equal(false);
      parser.next();
    }
  });

  it('HeadParser keeps no state from the previous head', () => {
    const heads = [
      ...samples.slice(0, 3),
      'GET / HTTP/1.0\r\n\r\n',
      get('Connection: upgrade, keep-alive\r\nExpect: 100-continue\r\n'),
      get('Connection: close\r\nExpect: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n'),
      'POST http://abs.test/p"?q HTTP/1.1\r\nHost: b\r\nX: \xe9\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n',
    ].map((text) => Buffer.from(text, 'latin1'));
    for (const first of heads) {
      for (const second of heads) {
        const parser = new HeadParser(limit);
        parser.feed(first, 0, first.length);
        parser.next();
        const result = outcome(parser, parser.feed(second, 0, second.length));
        const alone = new HeadParser(limit);
        expect(result).to.deep.equal(outcome(alone, alone.feed(second, 0, second.length)));
      }
    }
  });

  it('HeadParser ignores stale bytes in the buffer after the given range', () => {
    const parser = new HeadParser(limit);
    const first = Buffer.from(get('X-Name: 1\r\n'));
    expect(parser.feed(first, 0, first.length)).to.equal(first.length);
    parser.next();
    const second = Buffer.from(get('X-Other: 2\r\n'));
    for (let end = 1; end < second.length; end++) {
      const stale = Buffer.from(first);
      second.copy(stale, 0, 0, end);
      const single = new HeadParser(limit);
      single.feed(first, 0, first.length);
      single.next();
      expect(single.feed(stale, 0, end), `end ${end}`).to.equal(incomplete);
      expect(single.feed(second, end, second.length), `end ${end}`).to.equal(second.length);
      expect([...single.headers]).to.deep.equal([['x-other', '2']]);
    }
  });

  it('HeadParser reuses the strings of field names', () => {
    const first = parse(get('X-Unheard-Of: 1\r\n'));
    const second = parse(get('x-UNHEARD-of: 2\r\n'));
    expect(first.headers.names).to.deep.equal(['x-unheard-of']);
    expect(second.headers.names).to.deep.equal(['x-unheard-of']);
  });
});
