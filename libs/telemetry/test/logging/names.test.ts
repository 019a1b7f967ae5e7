import { expect } from 'chai';
import { compileFilter, conflictOf } from '../../src/logging/names.ts';

describe('compileFilter and conflictOf', () => {
  const filters: [include: string[], exclude: string[], taken: string[], left: string[]][] = [
    [[], [], ['', 'a', 'a.b'], []],
    [['a'], [], ['a', 'a.b'], ['', 'ab', 'b', 'b.a']],
    [[], ['a'], ['', 'ab', 'b', 'b.a'], ['a', 'a.b']],
    [[], [''], ['a'], ['']],
    [['a'], ['a.b'], ['a', 'a.c'], ['a.b', 'a.b.c', 'b']],
    [['a.b'], ['a'], ['a.b', 'a.b.c'], ['a', 'a.c', 'b']],
    [['a', 'a.b.c'], ['a.b'], ['a', 'a.b.c', 'a.b.c.d'], ['a.b', 'a.b.d']],
    [['a', 'b'], ['a.x'], ['a', 'b', 'b.a.x'], ['a.x', 'c']],
  ];
  for (const [include, exclude, taken, left] of filters) {
    it(`compileFilter includes ${JSON.stringify(include)} and excludes ${JSON.stringify(exclude)}`, () => {
      const takes = compileFilter(include, exclude);
      expect([...taken, ...left].filter(takes)).to.deep.equal(taken);
    });
  }

  const conflicts: [include: string[], exclude: string[], conflict: { index: number; message: string } | null][] = [
    [[], [], null],
    [['a', 'b'], [], null],
    [[], ['a'], null],
    [['a'], ['a.b'], null],
    [['a.b'], ['a'], null],
    [['a'], ['a'], { index: 0, message: '"a" is also in exclude' }],
    [['a', 'b'], ['a.x', 'b'], { index: 1, message: '"b" is also in exclude' }],
    [['b'], ['a'], { index: 0, message: 'no name in exclude is related to "b"' }],
    [['a', 'b'], ['a.x'], { index: 1, message: 'no name in exclude is related to "b"' }],
    [['ab'], ['a'], { index: 0, message: 'no name in exclude is related to "ab"' }],
  ];
  for (const [include, exclude, conflict] of conflicts) {
    it(`conflictOf ${conflict === null ? 'accepts' : 'rejects'} include ${JSON.stringify(include)} with exclude ${JSON.stringify(exclude)}`, () => {
      expect(conflictOf(include, exclude)).to.deep.equal(conflict);
    });
  }
});
