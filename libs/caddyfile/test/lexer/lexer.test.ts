import { expect } from 'chai';
import fc from 'fast-check';
import { locateTokens, tokenize } from '@sluice/caddyfile';

/** Caddyfile texts with their expected tokens: text, line and quote. */
const cases: readonly [text: string, tokens: readonly (readonly [string, number, string])[]][] = [
  [
    'a b\nc',
    [
      ['a', 1, ''],
      ['b', 1, ''],
      ['c', 2, ''],
    ],
  ],
  [
    'a # b\n#c\nd#e',
    [
      ['a', 1, ''],
      ['d#e', 3, ''],
    ],
  ],
  [
    '"a b" `c\nd` e',
    [
      ['a b', 1, '"'],
      ['c\nd', 1, '`'],
      ['e', 2, ''],
    ],
  ],
  [
    String.raw`"a\"b\n" c\"d`,
    [
      [String.raw`a"b\n`, 1, '"'],
      [String.raw`c\"d`, 1, ''],
    ],
  ],
  [
    'a \\\n b\nc',
    [
      ['a', 1, ''],
      ['b', 1, ''],
      ['c', 3, ''],
    ],
  ],
  [
    'a"b" "c"d',
    [
      ['a"b"', 1, ''],
      ['c', 1, '"'],
      ['d', 1, ''],
    ],
  ],
  [
    'x <<END\n  a\n   b\n  END y',
    [
      ['x', 1, ''],
      ['a\n b', 1, '<'],
      ['y', 4, ''],
    ],
  ],
  [
    'x \\<<END',
    [
      ['x', 1, ''],
      ['<<END', 1, ''],
    ],
  ],
  [
    'x <<END y',
    [
      ['x', 1, ''],
      ['<<END', 1, ''],
      ['y', 1, ''],
    ],
  ],
  [
    '\uFEFFa\r\nb',
    [
      ['a', 1, ''],
      ['b', 2, ''],
    ],
  ],
];

describe('Caddyfile tokens', () => {
  for (const [text, tokens] of cases) {
    it(`the Caddyfile lexer tokenizes ${JSON.stringify(text)}`, () => {
      expect(tokenize(text, 'F').map((token) => [token.text, token.line, token.quote])).to.deep.equal(tokens);
    });
  }

  it('Caddyfile tokens record their column', () => {
    expect(tokenize('a  bb\n\t"c" d', 'F').map(({ column }) => column)).to.deep.equal([1, 4, 2, 6]);
  });

  it('the Caddyfile lexer rejects unterminated heredocs', () => {
    expect(() => tokenize('a\nx <<END\n b\n', 'F')).to.throw('incomplete heredoc <<END on line #4');
  });
});

describe('Caddyfile token positions', () => {
  const piece = fc.constantFrom(
    'a',
    'b1',
    ' ',
    '\n',
    '\r\n',
    '"',
    '`',
    '\\',
    '{',
    '}',
    '#',
    '<<',
    'END',
    '\t',
    '<',
    'é',
  );
  const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('token positions cover all tokens that the adapter reads, in source order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const located = locateTokens(text, 'Caddyfile');
        let last = 0;
        for (const { start, end } of located) {
          expect(start).to.be.at.least(last);
          expect(end).to.be.above(start).and.at.most(text.length);
          last = end;
        }
        let tokens;
        try {
          tokens = tokenize(text, 'Caddyfile');
        } catch {
          return;
        }
        expect(located.map(({ token }) => token)).to.deep.equal(tokens);
      }),
    );
  });

  for (const [text, words] of [
    ['a "b c" `d`\n<<E\n x\n E f', ['a', '"b c"', '`d`', '<<E\n x\n E', 'f']],
    ['a "open\nto the end', ['a', '"open\nto the end']],
    ['a <<OPEN\nb', ['a', '<<OPEN', 'b']],
    ['a <<<X\nb', ['a', '<<<X', 'b']],
  ] as const) {
    it(`token positions match the source text of ${JSON.stringify(text)}`, () => {
      expect(locateTokens(text, '').map(({ start, end }) => text.slice(start, end))).to.deep.equal(words);
    });
  }
});
