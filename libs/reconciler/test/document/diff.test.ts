import { expect } from 'chai';
import fc from 'fast-check';
import { applyOperations, diff } from '@sluice/reconciler';
import { spliceOf, type Json } from '@sluice/base';
import { editedDocuments } from './trees.ts';

describe('diff', () => {
  const cases: [before: Json, after: Json, operations: unknown[]][] = [
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
    [{ a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
    [{ 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, [{ op: 'replace', path: '/a~1b/~0', value: 2 }]],
    [[1, 2, 3], [1, 9, 2, 3], [{ op: 'add', path: '/1', value: 9 }]],
    [
      [1, 2, 3],
      [3],
      [
        { op: 'remove', path: '/1' },
        { op: 'remove', path: '/0' },
      ],
    ],
    [[1], { 0: 1 }, [{ op: 'replace', path: '', value: { 0: 1 } }]],
    [null, {}, [{ op: 'replace', path: '', value: {} }]],
  ];
  for (const [before, after, operations] of cases) {
    it(`diff returns the operations from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      expect(diff(before, after)).to.deep.equal(operations);
    });
  }

  it('diff returns operations that convert one document to the other', () => {
    fc.assert(
      fc.property(editedDocuments, ([before, after]) => {
        const kept = JSON.stringify(before);
        expect(applyOperations(before, diff(before, after))).to.deep.equal(after);
        expect(JSON.stringify(before)).to.equal(kept);
      }),
      { numRuns: 1000 },
    );
  });

  it('diff returns one operation if one of many elements changed', () => {
    const routes = Array.from({ length: 1000 }, (_, i) => ({ i }));
    const changed = routes.with(500, { i: -1 });
    expect(diff({ routes }, { routes: changed })).to.deep.equal([{ op: 'replace', path: '/routes/500/i', value: -1 }]);
    expect(spliceOf(routes, changed)).to.deep.equal({ start: 500, removed: 1, inserted: 1 });
  });

  it('diff returns one operation for each of several distant changes, even if elements move', () => {
    const routes = Array.from({ length: 1000 }, (_, i) => ({ i }));
    const changed = routes.with(900, { i: -1 }).toSpliced(10, 0, { i: -2 });
    expect(diff(routes, changed)).to.deep.equal([
      { op: 'replace', path: '/900/i', value: -1 },
      { op: 'add', path: '/10', value: { i: -2 } },
    ]);
  });
});
