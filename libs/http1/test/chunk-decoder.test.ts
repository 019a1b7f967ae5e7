import { expect } from 'chai';
import fc from 'fast-check';
import { ChunkDecoder } from '../src/chunk-decoder.ts';
import { KeptNames, noKeptNames } from '../src/kept-names.ts';

function decode(pieces: readonly string[]): { content: string; after: string; state: string; trailers: unknown } {
  const decoder = new ChunkDecoder(null);
  let content = '';
  let after = '';
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1');
    let at = 0;
    while (at < bytes.length && !decoder.done && !decoder.broken) {
      at = decoder.next(bytes, at, bytes.length);
      content += bytes.toString('latin1', decoder.start, decoder.end);
    }
    if (decoder.done) after += bytes.toString('latin1', at);
  }
  const state = decoder.done ? 'done' : decoder.broken ? 'broken' : 'open';
  return { content, after, state, trailers: decoder.trailers === null ? null : [...decoder.trailers] };
}

describe('http1 chunk decoder', () => {
  const good: [body: string, content: string, trailers?: unknown][] = [
    ['0\r\n\r\n', ''],
    ['3\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['A\r\n0123456789\r\n00\r\n\r\n', '0123456789'],
    ['0000000000000003\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['3 \t\r\nabc\r\n0 \r\n\r\n', 'abc'],
    ['3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n', 'abc'],
    [`3;${'x'.repeat(4000)}\r\nabc\r\n0\r\n\r\n`, 'abc'],
    ['1\r\n\r\r\n1\r\n\n\r\n0\r\n\r\n', '\r\n'],
    [
      '1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n',
      'a',
      [
        ['x', 'y'],
        ['z', ''],
      ],
    ],
    ['0\r\nContent-Length: 3\r\nHost: h\r\nTransfer-Encoding: x\r\nX: y\r\n\r\n', '', [['x', 'y']]],
  ];
  for (const [body, content, trailers = null] of good) {
    it(`ChunkDecoder decodes ${JSON.stringify(body.slice(0, 60))}`, () => {
      expect(decode([`${body}GET`])).to.deep.equal({ content, after: 'GET', state: 'done', trailers });
      expect(decode([...`${body}GET`])).to.deep.equal({ content, after: 'GET', state: 'done', trailers });
    });
  }

  it('ChunkDecoder does not consume bytes after the end of the body', () => {
    const decoder = new ChunkDecoder(null);
    const body = Buffer.from('0\r\n\r\nGET / HTTP/1.1');
    const end = decoder.next(body, 0, body.length);
    expect([end, decoder.done]).to.deep.equal([5, true]);
    expect(decoder.next(body, end, body.length)).to.equal(end);
    expect([decoder.done, decoder.broken]).to.deep.equal([true, false]);
  });

  it('ChunkDecoder merges the content of all chunks in one read into one piece', () => {
    const body = Buffer.from(`${'1\r\nx\r\n'.repeat(50)}28\r\n${'y'.repeat(40)}\r\n1;z\r\nz\r\n5\r\nab`);
    const decoder = new ChunkDecoder(null);
    expect(decoder.next(body, 0, body.length)).to.equal(body.length);
    expect(body.toString('latin1', decoder.start, decoder.end)).to.equal(`${'x'.repeat(50)}${'y'.repeat(40)}zab`);
  });

  it('ChunkDecoder drops trailers with ambiguous names, unless the names are explicitly allowed', () => {
    const trailersFor = (kept: KeptNames | null): unknown => {
      const decoder = new ChunkDecoder(kept);
      const body = Buffer.from('0\r\nX_A: 1\r\nX-B: 2\r\nX.C: 3\r\n\r\n');
      decoder.next(body, 0, body.length);
      return [...(decoder.trailers ?? [])].map(([name]) => name);
    };
    expect(trailersFor(noKeptNames)).to.deep.equal(['x-b']);
    expect(trailersFor(new KeptNames(['x_a']))).to.deep.equal(['x_a', 'x-b']);
    expect(trailersFor(null)).to.deep.equal(['x_a', 'x-b', 'x.c']);
  });

  it('ChunkDecoder accepts chunk sizes of up to sixteen digits, including leading zeros', () => {
    const coded = (size: string): string => `${size}\r\nabc\r\n0\r\n\r\n`;
    expect(decode([coded('3'.padStart(16, '0'))])).to.include({ state: 'done', content: 'abc' });
    expect(decode([coded('3'.padStart(17, '0'))]).state).to.equal('broken');
  });

  const bad = [
    'zz\r\n',
    '-3\r\n',
    '+3\r\n',
    '0x3\r\n',
    ' 3\r\n',
    '\r\n3\r\n',
    ';x\r\n',
    '3\nabc\n',
    '3\r\nabc\n0\r\n',
    '3\r\nabcd\r\n',
    '3\r\nabc\r\r\n',
    '1\r\na\rX0\r\n\r\n',
    '1\r\na\rX1\r\nb\r\n0\r\n\r\n',
    '3\rX\nabc',
    '3 ;x\r\n',
    '3 4\r\n',
    '3;a\rb\r\n',
    '3;a\nb\r\n',
    '00000000000000003\r\n',
    'fffffffffffff0\r\n',
    'ffffffffffffffff\r\n',
    `3;${'x'.repeat(5000)}\r\n`,
    '0\r\nX y\r\n\r\n',
    '0\r\n X: y\r\n\r\n',
    `0\r\nX: ${'y'.repeat(20000)}\r\n\r\n`,
  ];
  for (const body of bad) {
    it(`ChunkDecoder rejects ${JSON.stringify(body.slice(0, 60))}`, () => {
      expect(decode([`${body}3\r\nabc\r\n0\r\n\r\n`]).state).to.equal('broken');
      expect(decode([...`${body}3\r\nabc\r\n0\r\n\r\n`]).state).to.equal('broken');
    });
  }

  // Attack in docs/security.md: 4 MiB of chunk extensions (CVE-2024-22019).
  it('ChunkDecoder rejects bodies whose chunk extensions are larger than their content', () => {
    expect(decode([`1;${'x'.repeat(4000)}\r\na\r\n`.repeat(5)]).state).to.equal('broken');
    expect(decode([`1000;${'x'.repeat(4000)}\r\n${'a'.repeat(4096)}\r\n`.repeat(20), '0\r\n\r\n']).state).to.equal(
      'done',
    );
  });

  it('ChunkDecoder ignores stale bytes in the buffer after the given range', () => {
    const body = '3\r\nabc\r\n2;x\r\nde\r\n0\r\nX: y\r\n\r\n';
    for (const stale of ['\r\n'.repeat(40), '1\r\n'.repeat(30), '\n'.repeat(60)]) {
      for (let cut = 1; cut < body.length; cut++) {
        const bytes = Buffer.from(body.slice(0, cut) + stale, 'latin1');
        const decoder = new ChunkDecoder(null);
        expect(decoder.next(bytes, 0, cut), `cut at ${cut}`).to.equal(cut);
        let content = bytes.toString('latin1', decoder.start, decoder.end);
        const rest = Buffer.from(body.slice(cut), 'latin1');
        expect(decoder.next(rest, 0, rest.length)).to.equal(rest.length);
        content += rest.toString('latin1', decoder.start, decoder.end);
        expect([content, decoder.done]).to.deep.equal(['abcde', true]);
      }
    }
  });

  it('ChunkDecoder decodes a body identically regardless of how it is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' }), { maxLength: 6 }),
        fc.array(fc.nat({ max: 300 }), { maxLength: 8 }),
        (chunks, cuts) => {
          const body = `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
          const pieces: string[] = [];
          let from = 0;
          for (const cut of [...cuts.sort((a, b) => a - b), body.length]) {
            pieces.push(body.slice(from, Math.max(from, cut)));
            from = Math.max(from, cut);
          }
          expect(decode(pieces)).to.deep.equal({ content: chunks.join(''), after: '', state: 'done', trailers: null });
        },
      ),
      { numRuns: 500 },
    );
  });
});
