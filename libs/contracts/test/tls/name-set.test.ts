import { expect } from 'chai';
import fc from 'fast-check';
import { NameSet } from '@sluice/contracts';

const names: fc.Arbitrary<string[]> = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });
const sorted = (set: Iterable<string>): string[] => [...set].sort();

/** Applies a change to a multiset that is represented as a list. */
function apply(bag: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const next = [...bag];
  for (const name of removed) if (next.includes(name)) next.splice(next.indexOf(name), 1);
  return [...next, ...added];
}

describe('NameSet', () => {
  it('NameSet contains names that were added more often than removed, and records its difference from the previous set', () => {
    fc.assert(
      fc.property(names, fc.array(fc.tuple(names, names)), (first, changes) => {
        let bag: string[] = first;
        let set = NameSet.of(first);
        for (const [added, removed] of changes) {
          const before = set;
          const kept = new Set(bag);
          set = set.with(added, removed);
          bag = apply(bag, added, removed);
          const now = new Set(bag);
          expect(sorted(set)).to.deep.equal(sorted(now));
          expect(set.size).to.equal(now.size);
          for (const name of ['a', 'b', 'z']) expect(set.has(name)).to.equal(now.has(name));
          if (set === before) continue;
          expect(set.isMadeOf(before)).to.equal(true);
          expect(sorted(set.added)).to.deep.equal(sorted([...now].filter((name) => !kept.has(name))));
          expect(sorted(set.removed)).to.deep.equal(sorted([...kept].filter((name) => !now.has(name))));
        }
      }),
    );
  });

  it('NameSet.with returns the same set if the names do not change', () => {
    const set = NameSet.of(['a', 'b']);
    expect(set.with([], [])).to.equal(set);
    expect(set.with(['a'], ['a'])).to.equal(set);
    expect(set.with([], ['c'])).to.equal(set);
  });

  it('NameSet.filtered filters only the difference, but returns the same result as filtering all names', () => {
    fc.assert(
      fc.property(names, names, names, (first, added, removed) => {
        const looked: string[] = [];
        const keeps = (name: string): boolean => {
          looked.push(name);
          return name < 'c';
        };
        const before = NameSet.of(first);
        const filtered = before.filtered(keeps, null);
        const after = before.with(added, removed);
        looked.length = 0;
        const next = after.filtered(keeps, { of: before, is: filtered });
        expect(sorted(next)).to.deep.equal(sorted(after).filter((name) => name < 'c'));
        expect(looked.every((name) => added.includes(name) || removed.includes(name))).to.equal(true);
      }),
    );
  });
});
