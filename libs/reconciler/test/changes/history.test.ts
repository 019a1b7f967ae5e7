import { expect } from 'chai';
import fc from 'fast-check';
import { diff, History, shareSubtrees } from '@sluice/reconciler';
import type { Json } from '@sluice/base';

/** Records a sequence of documents in a history that starts empty. */
function recorded(documents: readonly Json[], history = new History()): History {
  let before: Json = null;
  for (const [index, next] of documents.entries()) {
    const after = shareSubtrees(before, next);
    history.record(
      { revision: index + 1, time: index, origin: `step ${index}`, by: null, operations: diff(before, after) },
      diff(after, before),
    );
    before = after;
  }
  return history;
}

describe('History', () => {
  it('History reconstructs every earlier document from the active document', () => {
    const document = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 1, 'a', true),
        fc.array(tie('json'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '~', '__proto__'), tie('json')) as fc.Arbitrary<Json>,
      ),
    })).json;
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 12 }), (documents) => {
        const history = recorded(documents);
        for (const [index, expected] of documents.entries()) {
          const found = history.documentAt(index + 1, documents.at(-1) as Json);
          expect(JSON.stringify(sorted(found?.document ?? null))).to.equal(JSON.stringify(sorted(expected)));
          const earlier = history.documentBefore(index + 1, documents.at(-1) as Json);
          const before = index === 0 ? null : (documents[index - 1] as Json);
          expect(JSON.stringify(sorted(earlier?.document ?? null))).to.equal(JSON.stringify(sorted(before)));
        }
      }),
    );
  });

  it('History keeps a limited number of changes, with the newest change first', () => {
    const history = recorded([1, 2, 3, 4, 5], new History({ entries: 3 }));
    expect(history.entries.map(({ revision }) => revision)).to.deep.equal([5, 4, 3]);
    expect(history.find(2)).to.equal(null);
    expect(history.documentAt(2, 5)).to.equal(null);
    expect(history.documentAt(3, 5)).to.deep.equal({ document: 3 });
    expect([history.documentBefore(2, 5), history.documentBefore(3, 5)]).to.deep.equal([null, { document: 2 }]);
    expect([history.find(3)?.origin, history.find(6)]).to.deep.equal(['step 2', null]);
    expect(recorded(Array.from({ length: 105 }, (_, i) => i)).entries).to.have.length(100);
  });

  it('History limits the total number of values, and always keeps the newest change', () => {
    const large = (n: number): Json => Array.from({ length: 50 }, (_, i) => n * 100 + i);
    const history = recorded([large(1), large(2), large(3)], new History({ values: 420 }));
    expect(history.entries.map(({ revision }) => revision)).to.deep.equal([3, 2]);
    expect(recorded([large(1), large(2)], new History({ values: 1 })).entries).to.have.length(1);
  });

  it('History counts each 64 characters of a string as one additional value', () => {
    const texts = (length: number): Json[] => ['a', 'b', 'c'].map((letter) => letter.repeat(length));
    // Each change contains one string before and one after the change. Each of its two operations counts as one value.
    const kept = (length: number, values: number): number =>
      recorded(texts(length), new History({ values })).entries.length;
    expect([kept(63, 8), kept(63, 7)]).to.deep.equal([2, 1]);
    expect([kept(64, 12), kept(64, 11)]).to.deep.equal([2, 1]);
    expect([kept(640, 48), kept(640, 47)]).to.deep.equal([2, 1]);
  });

  it('History stores only the difference of a change in a large list', () => {
    const list = Array.from({ length: 10_000 }, (_, i) => ({ n: i }));
    const history = recorded([{ list }, { list: list.with(5_000, { n: -1 }) }]);
    expect(history.entries[0]?.operations).to.deep.equal([{ op: 'replace', path: '/list/5000/n', value: -1 }]);
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
