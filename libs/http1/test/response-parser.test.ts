import { expect } from 'chai';
import fc from 'fast-check';
import { incomplete, refused } from '@sluice/http1';
import { ResponseParser } from '../src/response-parser.ts';

function parse(text: string, limit = 1_000_000): ResponseParser | string {
  const parser = new ResponseParser(limit);
  const end = parser.feed(Buffer.from(text, 'latin1'), 0, text.length);
  return end === refused ? parser.problem : end === incomplete ? 'incomplete' : parser;
}

describe('http1 response parser', () => {
  const good: readonly [text: string, status: number, proto: string, fields: readonly [string, string][]][] = [
    ['HTTP/1.1 200 OK\r\n\r\n', 200, 'HTTP/1.1', []],
    ['HTTP/1.0 404\r\nA: b\r\n\r\n', 404, 'HTTP/1.0', [['a', 'b']]],
    [
      'HTTP/2.0 999 \r\nContent-Type:x\r\nCONTENT-type: \ty \r\n\r\n',
      999,
      'HTTP/2.0',
      [
        ['content-type', 'x'],
        ['content-type', 'y'],
      ],
    ],
    [
      'HTTP/1.1 200 OK\nA: b\n c\n\td\nE:\n\n',
      200,
      'HTTP/1.1',
      [
        ['a', 'b c d'],
        ['e', ''],
      ],
    ],
    ['HTTP/1.1 200 OK\r\nBad Name: x\r\nA(b: c\r\nOk: 1\r\n\r\n', 200, 'HTTP/1.1', [['ok', '1']]],
    ['HTTP/1.1 200 OK\r\nX_y.z: 1\r\n\r\n', 200, 'HTTP/1.1', [['x_y.z', '1']]],
    ['HTTP/1.1 200 OK\r\nA: \xc3\xa9\r\n\r\n', 200, 'HTTP/1.1', [['a', 'é']]],
    ['HTTP/1.1 200 OK\r\nA: \x80\r\n\r\n', 200, 'HTTP/1.1', [['a', '\udc80']]],
    ['HTTP/1.1 204\n\n', 204, 'HTTP/1.1', []],
    [
      'HTTP/1.1 200 OK\r\nA: b\r\n \r\nC:\r\n d\r\n\r\n',
      200,
      'HTTP/1.1',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n', 200, 'HTTP/1.1', [['transfer-encoding', 'chunked']]],
  ];
  for (const [text, status, proto, fields] of good) {
    it(`ResponseParser parses ${JSON.stringify(text)}`, () => {
      const parser = parse(text);
      expect(parser).to.include({ status, proto });
      expect([...(parser as ResponseParser).headers]).to.deep.equal(fields);
    });
  }

  const bad = [
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'HTTP/11 200 OK\r\n\r\n',
    'http/1.1 200 OK\r\n\r\n',
    '\r\nHTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\n folded: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\n: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\r\n\rC: d\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n \r\n\r\n',
  ];
  for (const text of bad)
    it(`ResponseParser rejects ${JSON.stringify(text)}`, () =>
      expect(parse(text)).to.be.a('string').and.not.equal('incomplete'));

  const problems: [text: string, problem: string][] = [
    ['HTTP/1.1 20 OK\r\n', 'malformed status line: "HTTP/1.1 20 OK"'],
    [`HTTP/1.1 ${'x'.repeat(99)}\n`, `malformed status line: "HTTP/1.1 ${'x'.repeat(55)}"`],
    ['HTTP/1.1 200 OK\r\n x\r\n', 'first field line is folded'],
    ['HTTP/1.1 200 OK\r\n: x\r\n', 'field line without a name'],
    ['HTTP/1.1 200 OK\r\nab\r\n', 'field line without a name'],
    ['HTTP/1.1 200 OK\r\na b\0: c\r\n', 'field line without a name'],
    ['HTTP/1.1 200 OK\r\nA: \x01\r\n', 'control character in a field line'],
    ['HTTP/1.1 200 OK\r\nA: b\x7f\r\n', 'control character in a field line'],
    ['HTTP/1.1 200 OK\r\nA: b\rc\r\n', 'control character in a field line'],
    ['HTTP/1.1 200 OK\r\nA: b\r\n c\x7f\r\n', 'control character in a field line'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: a\r\n \t\r\n',
      'Transfer-Encoding is folded onto a line that contains only whitespace',
    ],
    ['\rHTTP/1.1 200 OK\r\n', 'malformed status line: "\\rHTTP/1.1 200 OK"'],
    ['\r\n', 'malformed status line: ""'],
    ['\n', 'malformed status line: ""'],
  ];
  for (const [text, problem] of problems) {
    it(`ResponseParser reports a problem with ${JSON.stringify(text.slice(0, 60))}: ${problem.slice(0, 60)}`, () => {
      expect(parse(text)).to.equal(problem);
    });
  }

  it('ResponseParser rejects a status line if any byte is changed', () => {
    const line = 'HTTP/1.1 200 OK';
    for (let i = 0; i < 'HTTP/1.1 200 '.length; i++) {
      for (const other of ['x', ' ', '/', '.', '0', ':']) {
        const text = `${line.slice(0, i)}${other}${line.slice(i + 1)}`;
        const good = /^HTTP\/\d\.\d [1-9]\d\d /.test(text);
        expect(parse(`${text}\r\n\r\n`) instanceof ResponseParser, text).to.equal(good);
      }
    }
  });

  const versions: [version: string, modern: boolean][] = [
    ['HTTP/0.9', false],
    ['HTTP/1.0', false],
    ['HTTP/1.1', true],
    ['HTTP/1.2', true],
    ['HTTP/2.0', true],
    ['HTTP/2.1', true],
    ['HTTP/0.1', false],
  ];
  for (const [version, modern] of versions) {
    it(`ResponseParser reports that the connection ${modern ? 'persists' : 'does not persist'} with ${version}`, () => {
      expect(parse(`${version} 200 OK\r\n\r\n`)).to.include({ proto: version, modern, status: 200 });
    });
  }

  it('ResponseParser waits for more bytes, and reports whether part of a head has arrived', () => {
    const parser = new ResponseParser(1000);
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n\r\nrest');
    expect(parser.begun).to.equal(false);
    for (let i = 0; i < bytes.length - 5; i++) {
      expect(parser.feed(bytes, i, i + 1)).to.equal(incomplete);
      expect(parser.begun).to.equal(true);
    }
    expect(parser.feed(bytes, bytes.length - 5, bytes.length)).to.equal(bytes.length - 4);
    expect(parser.begun).to.equal(false);
    expect([...parser.headers]).to.deep.equal([['a', 'b']]);
  });

  it('ResponseParser ends a head at a bare line feed and does not consume subsequent bytes', () => {
    for (const head of ['HTTP/1.1 200 OK\n\n', 'HTTP/1.1 200 OK\r\nA: b\n\n', 'HTTP/1.1 200 OK\nA: b\r\n\r\n']) {
      const bytes = Buffer.from(`${head}\nHTTP`);
      expect(new ResponseParser(1000).feed(bytes, 0, bytes.length), head).to.equal(head.length);
    }
  });

  it('ResponseParser counts only the bytes of the head toward the size limit, even within a larger buffer', () => {
    const head = 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n';
    const bytes = Buffer.from(`${'x'.repeat(100)}${head}${'x'.repeat(100)}`);
    for (const [limit, end] of [
      [head.length, 100 + head.length],
      [head.length - 1, refused],
    ] as const) {
      expect(new ResponseParser(limit).feed(bytes, 100, bytes.length)).to.equal(end);
      const pieces = new ResponseParser(limit);
      expect(pieces.feed(bytes, 100, 110)).to.equal(incomplete);
      expect(pieces.feed(bytes, 110, bytes.length)).to.equal(end);
    }
    const begun = new ResponseParser(head.length);
    expect(begun.feed(bytes, 100, 100 + head.length - 1)).to.equal(incomplete);
    const long = new ResponseParser(20);
    expect(long.feed(bytes, 100, 120)).to.equal(incomplete);
    expect(new ResponseParser(20).feed(bytes, 100, 121)).to.equal(refused);
    expect(new ResponseParser(5).feed(Buffer.from('HTTP/1'), 0, 6)).to.equal(refused);
    expect(new ResponseParser(6).feed(Buffer.from('HTTP/1'), 0, 6)).to.equal(incomplete);
  });

  it('ResponseParser rejects a head above its size limit, regardless of how it is split', () => {
    const text = `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100)}\r\n\r\n`;
    expect(parse(text, text.length)).to.be.instanceOf(ResponseParser);
    expect(parse(text, text.length - 1)).to.equal('response head is too large');
    const parser = new ResponseParser(20);
    let end = incomplete;
    for (const byte of text) if (end === incomplete) end = parser.feed(Buffer.from(byte), 0, 1);
    expect(end).to.equal(refused);
  });

  it('ResponseParser parses consecutive heads identically regardless of how they are split', () => {
    const name = fc.stringMatching(/^[A-Za-z][\w.-]{0,20}$/);
    const value = fc.stringMatching(/^(?:[!-~](?:[ -~]{0,30}[!-~])?)?$/);
    const heads = fc.array(
      fc.record({
        status: fc.integer({ min: 100, max: 999 }),
        fields: fc.array(fc.tuple(name, value), { maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(heads, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (messages, sizes) => {
        const bytes = Buffer.from(
          messages
            .map(
              ({ status, fields }) =>
                `HTTP/1.1 ${status} X\r\n${fields.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`,
            )
            .join(''),
          'latin1',
        );
        const parser = new ResponseParser(100_000);
        const seen: unknown[] = [];
        let at = 0;
        for (let i = 0; at < bytes.length; i++) {
          const piece = bytes.subarray(at, at + (sizes[i] ?? bytes.length));
          let used = 0;
          while (used < piece.length) {
            const end = parser.feed(piece, used, piece.length);
            if (end === incomplete) break;
            expect(end).to.be.greaterThan(used);
            seen.push({ status: parser.status, fields: [...parser.headers] });
            used = end;
          }
          at += piece.length;
        }
        expect(seen).to.deep.equal(
          messages.map(({ status, fields }) => ({ status, fields: fields.map(([n, v]) => [n.toLowerCase(), v]) })),
        );
      }),
    );
  });
});
