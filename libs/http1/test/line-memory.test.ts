import { expect } from 'chai';
import fc from 'fast-check';
import { HeadParser, incomplete, KeptNames, LineMemory, refused, ResponseParser } from '@sluice/http1';

/** Header lines with small but significant differences: names, values, whitespace, line endings, line folding, and non-ASCII bytes. */
const lines = [
  'Host: a.example\r\n',
  'Host: b.example\r\n',
  'Accept: */*\r\n',
  'Accept: *\r\n',
  'ACCEPT: */*\r\n',
  'Accept:\t*/* \r\n',
  'Accept: */*\n',
  'Accept: */*\r\n folded\r\n',
  'Accept: */*\r\n \r\n',
  'X-A: \xc3\xa9\r\n',
  'X-A: \x80\r\n',
  'X-A: 12345678\r\n',
  'X-A: 12345679\r\n',
  'X-A: 1234567\r\n',
  'X_A: 1\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 00\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Bad Name: x\r\n',
  ': x\r\n',
  'X-B: a\0b\r\n',
];

type Parser = HeadParser | ResponseParser;

/** Generates consecutive, mostly similar request heads, and the positions at which each is split. */
const heads = fc.array(
  fc.tuple(
    fc.array(fc.constantFrom(...lines), { maxLength: 6 }),
    fc.array(fc.nat(120), { maxLength: 3 }),
    fc.boolean(),
  ),
  { minLength: 2, maxLength: 8 },
);

/** Passes a request head to the parser in pieces whose buffers are overwritten afterwards. Returns the result. */
function feed(parser: Parser, text: string, cuts: readonly number[], offset: number): string {
  const bounds = [...new Set([...cuts.filter((at) => at < text.length), text.length])].sort((a, b) => a - b);
  const bytes = Buffer.alloc(offset + text.length + 8, 'x');
  let from = 0;
  let end = incomplete;
  for (const to of bounds) {
    if (to === 0) continue;
    bytes.write(text.slice(from, to), offset, 'latin1');
    end = parser.feed(bytes, offset, offset + to - from);
    bytes.fill('y');
    if (end !== incomplete) break;
    from = to;
  }
  if (end === refused) return 'refused';
  if (end === incomplete) return 'incomplete';
  const { names, values } = parser.headers;
  const facts =
    parser instanceof HeadParser
      ? [parser.host, parser.keepAlive, parser.contentLength, parser.chunked, parser.rawPath]
      : [parser.status];
  return JSON.stringify([names, values, ...facts, from + end - offset]);
}

describe('http1 line memory', () => {
  it('LineMemory does not affect the parsing of consecutive request heads', () => {
    fc.assert(
      fc.property(heads, (sequence) => {
        const parser = new HeadParser(10_000);
        for (const [index, [own, cuts, repeats]] of sequence.entries()) {
          const fields = repeats && index > 0 ? (sequence[index - 1] as (typeof sequence)[number])[0] : own;
          const head = `GET /${'p'.repeat(index % 3)} HTTP/1.1\r\nHost: h\r\n${fields.filter((line) => !line.startsWith('Host')).join('')}\r\n`;
          const alone = new HeadParser(10_000);
          const expected = feed(alone, head, [], 0);
          expect(feed(parser, head, cuts, index * 3)).to.equal(expected);
          // A rejected head ends the connection, so no further heads are parsed.
          if (expected === 'refused') return;
          parser.next();
        }
      }),
      { numRuns: 400 },
    );
  });

  it('LineMemory does not affect the parsing of response heads, even if connections alternate or heads are incomplete', () => {
    fc.assert(
      fc.property(heads, (sequence) => {
        const memory = new LineMemory();
        let parsers = [new ResponseParser(10_000, memory), new ResponseParser(10_000, memory)];
        for (const [index, [own, cuts, repeats]] of sequence.entries()) {
          const fields = repeats && index > 0 ? (sequence[index - 1] as (typeof sequence)[number])[0] : own;
          const head = `HTTP/1.1 ${200 + index} OK\r\n${fields.join('')}\r\n`;
          const parser = parsers[index % 2] as ResponseParser;
          const other = parsers[(index + 1) % 2] as ResponseParser;
          const expected = feed(new ResponseParser(10_000), head, [], 0);
          // Meanwhile, another connection receives half of a head. It continues afterwards.
          const [half, rest] = [head.slice(0, head.length >> 1), head.slice(head.length >> 1)];
          const begun = feed(other, half, [], 5);
          expect(feed(parser, head, cuts, index * 3)).to.equal(expected);
          if (begun === 'incomplete' && index % 3 !== 0) {
            const end = feed(other, rest, [], 1);
            expect(end === 'refused' ? end : [end, other.status]).to.deep.equal(
              expected === 'refused' ? 'refused' : [end, 200 + index],
            );
            if (expected !== 'refused') expect([...other.headers]).to.deep.equal([...parser.headers]);
          }
          if (expected === 'refused' || begun === 'refused' || index % 3 === 0)
            parsers = [new ResponseParser(10_000, memory), new ResponseParser(10_000, memory)];
        }
      }),
      { numRuns: 400 },
    );
  });

  /** Generates few header sections, so that whole sections recur, and first lines that change the meaning of a section. */
  const sections = fc.uniqueArray(fc.array(fc.constantFrom(...lines), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 2,
    selector: (section) => section.join(''),
  });
  const firstLines = ['GET / HTTP/1.1', 'GET /a?b HTTP/1.1', 'GET http://c.example/ HTTP/1.1', 'CONNECT d:1 HTTP/1.1'];
  const turns = fc.array(
    fc.record({
      section: fc.nat(1),
      first: fc.constantFrom(...firstLines, 'GET / HTTP/1.0', 'POST /\xe9 HTTP/1.1'),
      kept: fc.constantFrom<readonly string[]>([], [], ['x_a']),
      cuts: fc.array(fc.nat(120), { maxLength: 2 }),
    }),
    { minLength: 5, maxLength: 16 },
  );

  it('LineMemory does not affect the parsing of repeated request header sections', () => {
    fc.assert(
      fc.property(sections, turns, (made, sequence) => {
        const parser = new HeadParser(10_000);
        for (const { section, first, kept, cuts } of sequence) {
          const fields = (made[section % made.length] as string[]).filter((line) => !line.startsWith('Host'));
          const head = `${first}\r\nHost: h${section}\r\n${fields.join('')}\r\n`;
          const alone = new HeadParser(10_000);
          parser.keptNames = alone.keptNames = new KeptNames(kept);
          const expected = feed(alone, head, [], 0);
          expect(feed(parser, head, cuts, section)).to.equal(expected);
          if (expected === 'refused') return;
          expect([parser.upgrades, parser.query, parser.expects]).to.deep.equal([
            alone.upgrades,
            alone.query,
            alone.expects,
          ]);
          // Handlers may modify the parsed fields. This must not affect cached sections.
          parser.headers.set('accept', 'changed');
          parser.headers.append('more', '1');
          parser.next();
        }
      }),
      { numRuns: 600 },
    );
  });

  it('LineMemory does not affect the parsing of repeated response header sections', () => {
    fc.assert(
      fc.property(sections, turns, (made, sequence) => {
        const parser = new ResponseParser(10_000, new LineMemory());
        for (const { section, cuts } of sequence) {
          const head = `HTTP/1.1 20${section} OK\r\n${(made[section % made.length] as string[]).join('')}\r\n`;
          const expected = feed(new ResponseParser(10_000), head, [], 0);
          expect(feed(parser, head, cuts, section)).to.equal(expected);
          if (expected === 'refused') return;
          parser.headers.delete('accept');
          parser.headers.append('more', '1');
        }
      }),
      { numRuns: 600 },
    );
  });

  it('LineMemory finds a header section that is identical to the cached section', () => {
    const memory = new LineMemory();
    const bytes = Buffer.from('A: 1\r\n\r\n');
    const name = { name: 'a', kind: 0, irregular: false };
    const read = { count: 1, names: [name], spans: [3, 4], values: ['1'], starts: [0], ends: [6] };
    const fields = { names: ['a'], values: ['1'], host: '' };
    memory.keep(bytes, 0, read);
    memory.keep(bytes, 0, read);
    expect(memory.findAll(bytes, 0, 8)).to.equal(0);
    expect([memory.wantsSum(0), memory.wantsSum(2), memory.wantsSum(1)]).to.deep.equal([false, false, true]);
    memory.sum(fields);
    expect(memory.wantsSum(1)).to.equal(false);
    expect(memory.findAll(bytes, 0, 8)).to.equal(8);
    expect(memory.fields).to.equal(fields);
    expect(memory.findAll(bytes, 0, 7)).to.equal(0);
    for (let at = 0; at < 8; at++) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] as number) ^ 1;
      expect(memory.findAll(other, 0, 8), String(at)).to.equal(0);
    }
    expect(memory.findAll(Buffer.from('x: 0\r\nA: 1\r\n\r\n'), 6, 14)).to.equal(14);
    memory.keep(bytes, 0, read);
    expect(memory.findAll(bytes, 0, 8)).to.equal(0);
  });

  it('LineMemory caches lines when a head is repeated, and then caches the lines of the next different head immediately', () => {
    const memory = new LineMemory();
    const parser = new ResponseParser(1000, memory);
    const status = 'HTTP/1.1 200 OK\r\n';
    const knownOf = (line: string): number => memory.find(0, Buffer.from(line), 0, line.length);
    const read = (line: string): number => feed(parser, `${status}${line}\r\n`, [], 0).length;
    const [first, second] = ['Server: one\r\n', 'Server: two\r\n'];
    read(first);
    expect(knownOf(first)).to.equal(0);
    read(first);
    expect(knownOf(first)).to.equal(first.length);
    // An identical header section must not be stored again.
    read(first);
    expect([knownOf(first), knownOf(second)]).to.deep.equal([first.length, 0]);
    read(second);
    expect([knownOf(first), knownOf(second)]).to.deep.equal([0, second.length]);
  });

  it('LineMemory returns cached lines starting with the third identical header section', () => {
    const memory = new LineMemory();
    const bytes = Buffer.from('A: 1\r\nB: 22\r\n');
    const read = {
      count: 2,
      names: [
        { name: 'a', kind: 0, irregular: false },
        { name: 'b', kind: 0, irregular: false },
      ],
      spans: [3, 4, 9, 11],
      values: ['1', '22'],
      starts: [0, 6],
      ends: [6, 13],
    };
    memory.keep(bytes, 0, read);
    expect(memory.find(0, bytes, 0, 13)).to.equal(0);
    memory.keep(bytes, 0, read);
    expect(memory.find(0, bytes, 0, 13)).to.equal(6);
    expect(memory.find(1, bytes, 6, 13)).to.equal(7);
    expect(memory.find(2, bytes, 6, 13)).to.equal(0);
    expect(memory.find(1, bytes, 6, 12)).to.equal(0);
    for (let at = 0; at < 7; at++) {
      const other = Buffer.from('B: 22\r\n');
      other[at] = (other[at] as number) ^ 1;
      expect(memory.find(1, other, 0, 7), String(at)).to.equal(0);
    }
    expect(memory.find(1, Buffer.from('xB: 22\r\n'), 1, 8)).to.equal(7);
  });
});
