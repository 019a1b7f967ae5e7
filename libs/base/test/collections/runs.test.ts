import { expect } from 'chai';
import fc from 'fast-check';
import { changedRuns } from '@sluice/base';

describe('changedRuns', () => {
  const letters = (text: string): string[] => [...text];

  it('changedRuns returns one run for each separate change', () => {
    expect(changedRuns(letters('abcdef'), letters('aXcdYef'))).to.deep.equal([
      { start: 1, removed: 1, at: 1, inserted: 1 },
      { start: 4, removed: 0, at: 4, inserted: 1 },
    ]);
  });

  it('changedRuns keeps all elements except the one that has moved', () => {
    expect(changedRuns(letters('abcdef'), letters('fabcde'))).to.deep.equal([
      { start: 0, removed: 0, at: 0, inserted: 1 },
      { start: 5, removed: 1, at: 6, inserted: 0 },
    ]);
  });

  it('changedRuns keeps all elements common to both lists if none of them has moved (property)', () => {
    const edits = fc.array(fc.tuple(fc.nat(300), fc.nat(3), fc.nat(3)), { maxLength: 6 });
    fc.assert(
      fc.property(edits, (made) => {
        const before = Array.from({ length: 300 }, (_, n) => n);
        const after = [...before];
        for (const [n, [at, removed, inserted]] of made.entries())
          after.splice(at, removed, ...Array.from({ length: inserted }, (_, i) => 1000 + 10 * n + i));
        const runs = changedRuns(before, after);
        const kept = before.filter((each) => after.includes(each)).length;
        expect(runs.reduce((sum, { removed }) => sum + removed, 0)).to.equal(before.length - kept);
        expect(runs.reduce((sum, { inserted }) => sum + inserted, 0)).to.equal(after.length - kept);
      }),
    );
  });

  it('changedRuns returns runs that convert one list to the other, even if elements are repeated', () => {
    const list = fc.array(fc.nat(9), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const result = [...before];
        for (const { start, removed, at, inserted } of changedRuns(before, after).reverse())
          result.splice(start, removed, ...after.slice(at, at + inserted));
        expect(result).to.deep.equal(after);
      }),
      { numRuns: 1000 },
    );
  });
});
