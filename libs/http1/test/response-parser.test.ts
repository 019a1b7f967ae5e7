import { expect } from 'chai';
import fc from 'fast-check';
import { incomplete, refused } from '@sluice/http1';
import { ResponseParser } from '../src/response-parser.ts';

function parse(text: string, limit = 1_000_000): ResponseParser | string {
  const parser = new ResponseParser(limit);
  const end = parser.feed(Buffer.from(text, 'latin1'), 0, text.length);
  return end === refused ? parser.problem : end === incomplete ? 'incomplete' : parser;
}

describe('http.reverse_proxy.transport.http: response parser', () => {
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
  ];
  for (const [text, status, proto, fields] of good) {
    it(`reads ${JSON.stringify(text)}`, () => {
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
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n \r\n\r\n',
  ];
  for (const text of bad)
    it(`refuses ${JSON.stringify(text)}`, () => expect(parse(text)).to.be.a('string').and.not.equal('incomplete'));

  it('refuses a head beyond its limit, however it comes', () => {
    const text = `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100)}\r\n\r\n`;
    expect(parse(text, text.length)).to.be.instanceOf(ResponseParser);
    expect(parse(text, text.length - 1)).to.equal('its head is too large');
    const parser = new ResponseParser(20);
    let end = incomplete;
    for (const byte of text) if (end === incomplete) end = parser.feed(Buffer.from(byte), 0, 1);
    expect(end).to.equal(refused);
  });

  it('reads the same in pieces as in one piece, head after head', () => {
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
