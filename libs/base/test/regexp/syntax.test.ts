import { expect } from 'chai';
import { parsePattern } from '../../src/regexp/parse.ts';
import { beginsAtStart, choicesOf, hasGroup, hasSameGroups, isNullable, type Node } from '../../src/regexp/syntax.ts';

const character: Node = { kind: 'characters', set: [97, 97] };
const begin: Node = { kind: 'assertion', source: '^' };
const end: Node = { kind: 'assertion', source: '$' };
const boundary: Node = { kind: 'assertion', source: '\\b' };
const noBoundary: Node = { kind: 'assertion', source: '\\B' };
const sequence = (...items: readonly Node[]): Node => ({ kind: 'sequence', items });
const either = (...options: readonly Node[]): Node => ({ kind: 'alternation', options });
const group = (body: Node): Node => ({ kind: 'group', body });
const repeat = (body: Node, min: number, max: number): Node => ({ kind: 'repetition', body, min, max, lazy: false });

describe('regular expression syntax trees', () => {
  it('hasGroup finds groups at any depth', () => {
    for (const node of [group(character), sequence(character, either(begin, repeat(group(character), 0, 1)))])
      expect(hasGroup(node)).to.equal(true);
    expect(hasGroup(sequence(character, either(begin, repeat(character, 0, 1))))).to.equal(false);
  });

  it('isNullable detects expressions that match the empty string', () => {
    for (const node of [begin, sequence(), sequence(begin, end), either(character, end), repeat(character, 0, 1)])
      expect(isNullable(node), JSON.stringify(node)).to.equal(true);
    for (const node of [group(end), repeat(end, 2, 3), group(repeat(character, 0, 1))])
      expect(isNullable(node), JSON.stringify(node)).to.equal(true);
    for (const node of [character, sequence(begin, character), either(character, sequence(end, character))])
      expect(isNullable(node), JSON.stringify(node)).to.equal(false);
    for (const node of [repeat(character, 1, 2), group(character)])
      expect(isNullable(node), JSON.stringify(node)).to.equal(false);
  });

  it('hasSameGroups detects expressions whose groups differ between JavaScript and RE2', () => {
    const optional = either(group(character), character);
    for (const node of [
      group(character),
      optional,
      repeat(group(character), 0, Infinity),
      repeat(character, 0, 5),
      repeat(optional, 0, 1),
      repeat(sequence(), 0, 0),
      repeat(either(character, sequence(character, character)), 0, 5),
      repeat(sequence(repeat(character, 0, 1), group(character)), 0, 5),
      repeat(sequence(repeat(group(character), 1, 2), character), 0, 5),
    ])
      expect(hasSameGroups(node), JSON.stringify(node)).to.equal(true);
    for (const node of [
      repeat(optional, 0, 2),
      repeat(sequence(character, repeat(group(character), 0, 1)), 2, 2),
      repeat(repeat(character, 0, 1), 0, 1),
      repeat(end, 1, 1),
      sequence(character, repeat(optional, 1, Infinity)),
      repeat(group(either(character, group(character))), 0, 2),
    ])
      expect(hasSameGroups(node), JSON.stringify(node)).to.equal(false);
  });

  it('beginsAtStart returns false for expressions with `^` after a character', () => {
    for (const node of [
      character,
      begin,
      sequence(begin, character, end),
      sequence(character, end),
      sequence(character, boundary),
      sequence(boundary, begin, character),
      either(begin, character),
      repeat(begin, 0, 1),
      group(begin),
      repeat(sequence(begin, character), 1, 1),
    ])
      expect(beginsAtStart(node), JSON.stringify(node)).to.equal(true);
    for (const node of [
      sequence(character, begin),
      sequence(character, end, begin),
      sequence(repeat(character, 0, 1), group(begin)),
      sequence(character, either(character, begin)),
      sequence(character, repeat(begin, 0, 1)),
      repeat(sequence(begin, character), 0, 2),
    ])
      expect(beginsAtStart(node), JSON.stringify(node)).to.equal(false);
  });

  it('choicesOf counts the choices in an expression', () => {
    const one = either(character, character);
    for (const [node, choices] of [
      [character, 0],
      [begin, 0],
      [end, 0],
      [boundary, 1],
      [noBoundary, 1],
      [one, 1],
      [group(one), 1],
      [sequence(one, character, one), 2],
      [either(one, sequence(one, one), character), 3],
      [repeat(character, 0, Infinity), 0],
      [repeat(one, 0, Infinity), 1],
      [repeat(one, 3, Infinity), 4],
      [repeat(character, 3, 3), 0],
      [repeat(character, 2, 3), 1],
      [repeat(one, 3, 3), 3],
      [repeat(one, 2, 3), 4],
    ] as const)
      expect(choicesOf(node), JSON.stringify(node)).to.equal(choices);
  });
});

describe('parsePattern', () => {
  const set = (text: string): number[] =>
    [...text].flatMap((each) => [each.codePointAt(0) as number, each.codePointAt(0) as number]);
  const setOf = (pattern: string): readonly number[] | string | undefined => {
    const tree = parsePattern(pattern);
    return tree?.kind === 'characters' ? tree.set : tree?.kind;
  };

  it('parsePattern parses sequences, alternations, groups and repetitions', () => {
    const [a, b] = [97, 98].map((code): Node => ({ kind: 'characters', set: [code, code] }));
    expect(parsePattern('')).to.deep.equal(sequence());
    expect(parsePattern('a')).to.deep.equal(a);
    expect(parsePattern('ab')).to.deep.equal(sequence(a as Node, b as Node));
    expect(parsePattern('a|b|')).to.deep.equal(either(a as Node, b as Node, sequence()));
    expect(parsePattern('(a)(?P<n>b)(?<m>b)(?:a)')).to.deep.equal(
      sequence(group(a as Node), group(b as Node), group(b as Node), a as Node),
    );
    for (const [counts, min, max] of [
      ['*', 0, Infinity],
      ['+', 1, Infinity],
      ['?', 0, 1],
      ['{3}', 3, 3],
      ['{0}', 0, 0],
      ['{10,}', 10, Infinity],
      ['{2,12}', 2, 12],
    ] as const) {
      const body = a as Node;
      expect(parsePattern(`a${counts}`)).to.deep.equal(repeat(body, min, max));
      const lazy = { kind: 'repetition', body, min, max, lazy: true };
      expect(parsePattern(`a${counts}?`)).to.deep.equal(lazy);
      expect(parsePattern(`(?U)a${counts}`)).to.deep.equal(lazy);
      expect(parsePattern(`(?U)a${counts}?`)).to.deep.equal(repeat(body, min, max));
    }
  });

  it('parsePattern parses single-character escapes', () => {
    for (const [pattern, text] of [
      ['\\a', '\x07'],
      ['\\f', '\f'],
      ['\\t', '\t'],
      ['\\n', '\n'],
      ['\\r', '\r'],
      ['\\v', '\v'],
      ['\\x41', 'A'],
      ['\\x{1F600}', '😀'],
      ['\\101', 'A'],
      ['\\0', '\0'],
      ['\\.', '.'],
      ['\\_', '_'],
      ['\\Qa\\E', 'a'],
      ['\\Qa', 'a'],
      ['\\Q\\a\\E', null],
      ['😀', '😀'],
    ] as const)
      expect(setOf(pattern), pattern).to.deep.equal(text === null ? 'sequence' : set(text));
    expect(parsePattern('\\Q\\Eab')).to.deep.equal(parsePattern('ab'));
    expect(parsePattern('\\Q😀b\\Ec')).to.deep.equal(
      sequence(...['😀', 'b', 'c'].map((each): Node => ({ kind: 'characters', set: set(each) }))),
    );
  });

  it('parsePattern parses character classes, ranges and class names', () => {
    for (const [pattern, bounds] of [
      ['[a-c]', [97, 99]],
      ['[a-]', [45, 45, 97, 97]],
      ['[]a]', [93, 93, 97, 97]],
      ['[^]a]', [0, 92, 94, 96, 98, 0x10ffff]],
      ['[\\x41-\\x43\\]]', [65, 67, 93, 93]],
      ['[\\d_]', [48, 57, 95, 95]],
      ['[^\\D]', [48, 57]],
      ['[[:digit:]x]', [48, 57, 120, 120]],
      ['[[:^ascii:]]', [128, 0x10ffff]],
      ['\\D', [0, 47, 58, 0x10ffff]],
      ['.', [0, 9, 11, 0x10ffff]],
      ['(?s).', [0, 0x10ffff]],
      ['(?i)a', [65, 65, 97, 97]],
      ['(?i)[[:lower:]]', [65, 90, 97, 122, 0x17f, 0x17f, 0x212a, 0x212a]],
      ['(?i)[b]', [66, 66, 98, 98]],
      ['(?i:a)', [65, 65, 97, 97]],
      ['(?i)\\x7f', [127, 127]],
    ] as const)
      expect(setOf(pattern), pattern).to.deep.equal(bounds);
  });

  it('parsePattern applies inline flags until the end of their group', () => {
    const small = { kind: 'characters', set: [97, 97] };
    const both = { kind: 'characters', set: [65, 65, 97, 97] };
    for (const [pattern, items] of [
      ['(?i)aa', [both, both]],
      ['(?i:a)a', [both, small]],
      ['a(?i)a', [small, both]],
      ['(?i)a(?-i)a', [both, small]],
      ['(?i)a(?-i:a)a', [both, small, both]],
      ['(?:(?i)a)a', [both, small]],
      ['(?is-U)aa', [both, both]],
    ] as const)
      expect(parsePattern(pattern), pattern).to.deep.equal({ kind: 'sequence', items });
  });

  it('parsePattern returns null for patterns without a JavaScript equivalent', () => {
    for (const pattern of ['\\pL', '[\\PL]', '(?m)^', '(?m)$', '(?i)é', '(?i)\\x{80}', 'a^', '\\C', '\\E'])
      expect(parsePattern(pattern), pattern).to.equal(null);
    // Up to twelve consecutive optional characters must compile quickly.
    expect(parsePattern('a?'.repeat(12))).to.not.equal(null);
    expect(parsePattern('a?'.repeat(13))).to.equal(null);
  });
});
