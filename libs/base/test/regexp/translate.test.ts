import { expect } from 'chai';
import { canRunLinear, hasLinearEngine } from '../../src/regexp/linear.ts';
import { parsePattern } from '../../src/regexp/parse.ts';
import type { Node } from '../../src/regexp/syntax.ts';
import { needsPlainText, toSource } from '../../src/regexp/translate.ts';

const parsed = (pattern: string): Node => {
  const tree = parsePattern(pattern);
  if (tree === null) throw new Error(`${pattern} is not parsed`);
  return tree;
};

describe('toSource', () => {
  for (const [pattern, groups, plain] of [
    ['a', 'a', 'a'],
    ['(a)(?:b)', '(a)b', '(?:a)b'],
    ['a|b', '(?:a|b)', '(?:a|b)'],
    ['^\\ba\\B$', '^\\ba\\B$', '^\\ba\\B$'],
    ['a*b+c?', 'a*b+c?', 'a*b+c?'],
    ['a*?b+?c??', 'a*?b+?c??', 'a*?b+?c??'],
    ['(?U)a*b+?', 'a*?b+', 'a*?b+'],
    ['a{2}', 'aa', 'aa'],
    ['a{0}b', 'b', 'b'],
    ['a{2,}', 'aaa*', 'aaa*'],
    ['a{2,}?', 'aaa*?', 'aaa*?'],
    ['a{0,1}', 'a?', 'a?'],
    ['a{1,1}', 'a', 'a'],
    ['a{1,3}', 'a(?:a(?:a)?)?', 'a(?:a(?:a)?)?'],
    ['a{0,2}?', '(?:a(?:a)??)??', '(?:a(?:a)??)??'],
    ['(?:ab){2}', '(?:ab)(?:ab)', '(?:ab)(?:ab)'],
    ['(?:ab)+', '(?:ab)+', '(?:ab)+'],
    ['(a){2,3}', '(?:(a)){2,3}', '(?:(?:a))(?:(?:a))(?:(?:(?:a)))?'],
    ['(a){2,}?', '(?:(a)){2,}?', '(?:(?:a))(?:(?:a))(?:(?:a))*?'],
    ['.', '[^\\u000a]', '[^\\u000a]'],
    ['(?s).', '[^]', '[^]'],
    ['[^\\x00-\\x{10FFFF}]', '[]', '[]'],
    ['[b-da]', '[a-d]', '[a-d]'],
    ['[ac-d]', '[ac-d]', '[ac-d]'],
    ['[a]', 'a', 'a'],
    ['[^a]', '[^a]', '[^a]'],
    ['[\\x{10000}]', '[]', '[]'],
    ['[a\\x{fffe}-\\x{10000}]', '[a\\ufffe-\\uffff]', '[a\\ufffe-\\uffff]'],
    ['(?i)k', '[Kk\\u212a]', '[Kk\\u212a]'],
    ['_ \\.\\x21\\x7e\\x7f\\x1f', '_ \\.\\!\\~\\u007f\\u001f', '_ \\.\\!\\~\\u007f\\u001f'],
  ] as const)
    it(`toSource returns ${groups} for ${pattern}`, () => {
      const tree = parsed(pattern);
      expect([toSource(tree, true, pattern), toSource(tree, false, pattern)]).to.deep.equal([groups, plain]);
    });

  it('toSource returns null if the source is longer than 1,000 characters plus four times the pattern length', () => {
    for (const [body, size] of [
      ['a', 1],
      ['(?:ab)', 6],
    ] as const) {
      const lengthOf = (count: number): number | null => {
        const pattern = `${body}{${count}}`;
        return toSource(parsed(pattern), false, pattern)?.length ?? null;
      };
      const max = Math.floor((1000 + 4 * `${body}{000}`.length + (size === 1 ? 4 : 0)) / size);
      expect([lengthOf(max), lengthOf(max + 1)], body).to.deep.equal([max * size, null]);
    }
    // A part that is too long must be rejected before its repetitions multiply the length. Shorter parts must not compensate for the
    // length.
    expect(toSource(parsed('(?:(?:a{900}b{900}){900}){900}'.replaceAll('900', '99')), false, '')).to.equal(null);
    expect(toSource(parsed('(?:a{600}|b{600})'), false, '')).to.equal(null);
    expect(toSource(parsed('(?:a{499}|b{495})'), false, '')?.length).to.equal(999);
  });

  it('needsPlainText returns false only for patterns that match neither surrogates nor the empty string', () => {
    for (const pattern of ['a', 'a+', '[a-z]x*', '\\x{d7ff}', '[]']) {
      if (pattern !== '[]') expect(needsPlainText(parsed(pattern)), pattern).to.equal(false);
    }
    for (const pattern of ['', 'a*', '^', '(?:a|b*)', '.', '[^a]', '\\x{d800}', 'a\\W', '(\\x{10000})+'])
      expect(needsPlainText(parsed(pattern)), pattern).to.equal(true);
  });
});

describe('canRunLinear', () => {
  it('canRunLinear accepts sources without backreferences, lookaround or large counts', () => {
    expect(hasLinearEngine()).to.equal(true);
    expect(['(?:(a+)|b)*?\\b[^c]$', '(a)\\1', 'a(?=b)', '('].map(canRunLinear)).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });
});
