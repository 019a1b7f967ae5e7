import { expect } from 'chai';
import fc from 'fast-check';
import { applyJsonPatch } from '@sluice/reconciler';
import { difference, patched } from '../../src/page/base/difference.ts';
import { isEqual, removeAt, setAt, valueAt, type Json, type Path } from '../../src/page/base/json.ts';
import { merge } from '../../src/page/base/merge.ts';
import { parsePointer } from '../../src/page/base/paths.ts';
import { documents } from './documents.ts';

describe('dashboard.base.difference', () => {
  it('difference() returns a patch that the server can apply to turn the first document into the second', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        expect(applyJsonPatch(before, difference(before, after) as unknown as Json)).to.deep.equal(after);
      }),
      { numRuns: 1000 },
    );
  });

  it('patched() returns the same document as the server', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        expect(patched(before, difference(before, after))).to.deep.equal(after);
      }),
      { numRuns: 1000 },
    );
    const list = { a: [1, 2, 3] };
    for (const operations of [
      [{ op: 'add', path: '/a/-', value: 4 }],
      [{ op: 'move', from: '/a/0', path: '/a/2' }],
      [{ op: 'copy', from: '/a/0', path: '/b' }],
      [{ op: 'test', path: '/a/0', value: 1 }],
    ] as const)
      expect(patched(list, operations)).to.deep.equal(applyJsonPatch(list, operations));
  });

  it('difference() returns a small patch for a small difference', () => {
    const routes = Array.from({ length: 10_000 }, (_, index) => ({ handle: [{ body: `text ${index}` }] }));
    const before: Json = { apps: { http: { routes } } };
    expect(difference(before, removeAt(before, ['apps', 'http', 'routes', 5000]))).to.deep.equal([
      { op: 'remove', path: '/apps/http/routes/5000' },
    ]);
    expect(difference(before, setAt(before, ['apps', 'http', 'routes', 7, 'handle', 0, 'body'], 'x'))).to.deep.equal([
      { op: 'replace', path: '/apps/http/routes/7/handle/0/body', value: 'x' },
    ]);
  });
});

describe('dashboard.base.merge', () => {
  it('merge() combines changes to different values', () => {
    const base: Json = { a: 1, b: { c: [1, 2], d: 2 } };
    const merged = merge(base, { a: 1, b: { c: [1, 3], d: 2 }, e: 5 }, { a: 9, b: { c: [1, 2] } });
    expect(merged).to.deep.equal({ value: { a: 9, b: { c: [1, 3] }, e: 5 }, conflicts: [] });
  });

  it('merge() returns conflicts with the base, draft and current values', () => {
    const merged = merge({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 3, b: 4 });
    expect(merged.value).to.deep.equal({ a: 3, b: 4 });
    expect(merged.conflicts).to.deep.equal([{ path: ['a'], base: 1, mine: 2, theirs: 3 }]);
  });

  it('merge() returns the changed value if only the draft or only the current value changed', () => {
    fc.assert(
      fc.property(documents, documents, (base, mine) => {
        for (const { value, conflicts } of [merge(base, mine, base), merge(base, base, mine)]) {
          expect(conflicts).to.deep.equal([]);
          expect(isEqual(value, mine)).to.equal(true);
        }
      }),
    );
  });

  it('merge() includes every change either in the result or as a conflict', () => {
    fc.assert(
      fc.property(documents, documents, documents, (base, mine, theirs) => {
        const { value, conflicts } = merge(base, mine, theirs);
        for (const operation of difference(base, mine)) {
          const path = parsePointer(operation.path);
          const reported = conflicts.some((each) => isWithin(path, each.path) || isWithin(each.path, path));
          expect(reported || isEqual(valueAt(value, path), valueAt(mine, path)), operation.path).to.equal(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function isWithin(path: Path, start: Path): boolean {
  return start.every((key, index) => String(path[index]) === String(key));
}
