import { expect } from 'chai';
import fc from 'fast-check';
import { ReferenceIndex } from '../../src/kubernetes/reference-index.ts';

describe('ReferenceIndex', () => {
  it('ReferenceIndex returns the dependents of each target after any sequence of changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.uniqueArray(name))), (changes) => {
        const index = new ReferenceIndex();
        const expected = new Map<string, readonly string[]>();
        for (const [dependent, targets] of changes) {
          index.set(dependent, new Set(targets));
          expected.set(dependent, targets);
        }
        for (const each of ['a', 'b', 'c', 'd']) {
          const dependents = [...expected]
            .filter(([, targets]) => targets.includes(each))
            .map(([dependent]) => dependent);
          expect([...index.dependentsOf(each)]).to.have.members(dependents);
          expect(index.targetsOf(each)).to.have.members([...(expected.get(each) ?? [])]);
        }
      }),
    );
  });
});
