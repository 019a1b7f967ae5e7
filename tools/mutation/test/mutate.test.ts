import { expect } from 'chai';
import { applyMutation, mutationsOf } from '../src/mutate.ts';
import { randomOf, sample } from '../src/random.ts';

/** Returns all mutated versions of a source text. */
function mutantsOf(source: string): string[] {
  return mutationsOf('a.ts', source).map((mutation) => applyMutation(source, mutation));
}

describe('mutation tool: mutationsOf and sample', () => {
  const cases: [what: string, source: string, mutants: string[]][] = [
    ['a comparison', 'const a = (b: number): boolean => b < c;', ['const a = (b: number): boolean => b <= c;']],
    ['an equality', 'f(a === b);', ['f(a !== b);']],
    ['arithmetic', 'f(a + b);', ['f(a - b);']],
    ['a logical operator', 'f(a ?? b);', ['f(a && b);']],
    ['a condition', 'if (a) b();', ['if (!(a)) b();']],
    ['a conditional expression', 'f(a ? b : c);', ['f(!(a) ? b : c);']],
    ['a number', 'f(41);', ['f(42);']],
    ['a boolean', 'f(true);', ['f(false);']],
    ['a returned value', 'function f() { return a; }', ['function f() { return undefined; }']],
    [
      'the comparison in a sort callback, but not the returned numbers',
      'a.sort((b, c) => (b < c ? -1 : 1));',
      ['a.sort((b, c) => (!(b < c) ? -1 : 1));', 'a.sort((b, c) => (b <= c ? -1 : 1));'],
    ],
    [
      'a zero in a sort callback',
      'a.toSorted((b) => (b ? 1 : 0));',
      ['a.toSorted((b) => (!(b) ? 1 : 0));', 'a.toSorted((b) => (b ? 1 : 1));'],
    ],
    ['nothing in a return of undefined', 'function f() { return undefined; }', []],
    ['nothing in a string', "f('a' + `b`);", []],
    ['nothing in a type', 'type A = 1 | 2 | true;', []],
  ];
  for (const [what, source, mutants] of cases) {
    it(`mutationsOf changes ${what}`, () => {
      expect(mutantsOf(source)).to.deep.equal(mutants);
    });
  }

  it('sample() returns the same distinct elements for the same seed', () => {
    const all = Array.from({ length: 100 }, (_, i) => i);
    const first = sample(randomOf(7), all, 20);
    expect(first).to.deep.equal(sample(randomOf(7), all, 20));
    expect(new Set(first).size).to.equal(20);
    expect(sample(randomOf(8), all, 20)).to.not.deep.equal(first);
  });
});
