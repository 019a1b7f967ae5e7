import { expect } from 'chai';
import fc from 'fast-check';
import {
  anyCharacter,
  complement,
  foldAscii,
  isBelow,
  perlClasses,
  posixClasses,
  setOf,
  type CharacterSet,
} from '../../src/regexp/character-set.ts';

const last = 0x10ffff;
const has = (set: CharacterSet, code: number): boolean =>
  set.some((first, i) => i % 2 === 0 && first <= code && code <= (set[i + 1] as number));

describe('character set functions', () => {
  const bounds = fc
    .array(fc.tuple(fc.nat(60), fc.nat(12)), { maxLength: 8 })
    .map((ranges) => ranges.flatMap(([first, size]) => [first, first + size]));

  it('setOf returns sorted, disjoint ranges that contain the same characters', () => {
    expect(setOf([])).to.deep.equal([]);
    expect(setOf([5, 6, 1, 2])).to.deep.equal([1, 2, 5, 6]);
    expect(setOf([1, 3, 4, 5])).to.deep.equal([1, 5]);
    expect(setOf([1, 9, 2, 3])).to.deep.equal([1, 9]);
    fc.assert(
      fc.property(bounds, (list) => {
        const set = setOf(list);
        for (let code = 0; code < 80; code++) expect(has(set, code)).to.equal(has(list, code));
        for (let i = 1; i < set.length; i++)
          expect((set[i] as number) - (set[i - 1] as number)).to.be.at.least(i % 2 ? 0 : 2);
      }),
    );
  });

  it('applying complement twice returns the original character set', () => {
    expect(complement([])).to.deep.equal([0, last]);
    expect(complement(anyCharacter)).to.deep.equal([]);
    expect(complement([0, 4])).to.deep.equal([5, last]);
    expect(complement([3, last])).to.deep.equal([0, 2]);
    expect(complement([1, last - 1])).to.deep.equal([0, 0, last, last]);
    fc.assert(
      fc.property(bounds, (list) => {
        const set = setOf(list);
        for (let code = 0; code < 80; code++) expect(has(complement(set), code)).to.equal(!has(set, code));
        expect(complement(complement(set))).to.deep.equal(set);
      }),
    );
  });

  it('isBelow reports whether all characters in a set are at or below a limit', () => {
    expect([isBelow([], 0), isBelow([1, 127], 127), isBelow([1, 128], 127)]).to.deep.equal([true, true, false]);
  });

  it('foldAscii adds the two non-ASCII characters that case-fold to ASCII letters', () => {
    for (let code = 0; code < 128; code++) {
      const text = String.fromCharCode(code);
      const equal = [text.toLowerCase(), text.toUpperCase()].map((each) => each.charCodeAt(0));
      if (/s/i.test(text)) equal.push(0x17f);
      if (/k/i.test(text)) equal.push(0x212a);
      expect(foldAscii([code, code]), text).to.deep.equal(setOf(equal.flatMap((each) => [each, each])));
    }
    expect(foldAscii([0x40, 0x42])).to.deep.equal([0x40, 0x42, 0x61, 0x62]);
  });

  it('perlClasses and posixClasses have the semantics of RE2', () => {
    const all = Array.from({ length: 300 }, (_, code) => code);
    const matching = (expression: RegExp): number[] => all.filter((code) => expression.test(String.fromCharCode(code)));
    const found = (set: CharacterSet | undefined): number[] => all.filter((code) => has(set ?? [], code));
    for (const [name, expression] of Object.entries({ d: /[0-9]/, s: /[\t\n\f\r ]/, w: /[0-9A-Za-z_]/ }))
      expect(found(perlClasses.get(name)), name).to.deep.equal(matching(expression));
    expect(perlClasses.size).to.equal(3);
    const posix = {
      alnum: /[0-9A-Za-z]/,
      alpha: /[A-Za-z]/,
      ascii: /[\x00-\x7f]/,
      blank: /[\t ]/,
      cntrl: /[\x00-\x1f\x7f]/,
      digit: /[0-9]/,
      graph: /[\x21-\x7e]/,
      lower: /[a-z]/,
      print: /[\x20-\x7e]/,
      punct: /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/,
      space: /[\t\n\v\f\r ]/,
      upper: /[A-Z]/,
      word: /[0-9A-Za-z_]/,
      xdigit: /[0-9A-Fa-f]/,
    };
    for (const [name, expression] of Object.entries(posix))
      expect(found(posixClasses.get(name)), name).to.deep.equal(matching(expression));
    expect([...posixClasses.keys()].toSorted()).to.deep.equal(Object.keys(posix).toSorted());
  });
});
