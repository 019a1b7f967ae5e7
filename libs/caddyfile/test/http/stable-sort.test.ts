/** Sort orders that Go's stable sort produced for the same items and the same comparison function: `stable-sort.json`. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { stableSort } from '../../src/http/stable-sort.ts';

const sorted = JSON.parse(
  readFileSync(new URL('stable-sort.json', import.meta.url), 'utf8'),
) as readonly (readonly number[])[];

/** A comparison function that is neither transitive nor free of cycles. */
function before(one: number, other: number): boolean {
  return one % 5 !== other % 7 && (one * other) % 3 !== 1 && (one * one + 3 * other) % 11 < 4;
}

describe('stableSort', () => {
  for (const expected of sorted)
    it(`stableSort orders ${expected.length} items with an inconsistent comparison as Caddy does`, () => {
      const items = expected.map((_, i) => (i * 37 + 11) % expected.length);
      expect(stableSort(items, before)).to.deep.equal(expected);
    });

  it('stableSort sorts and preserves the order of equal items if the comparison is consistent', () => {
    const pair = fc.tuple(fc.nat(9), fc.nat());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 200 }), (items) => {
        const expected = items.toSorted(([one], [other]) => one - other);
        expect(stableSort(items, ([one], [other]) => one < other)).to.deep.equal(expected);
      }),
    );
  });
});
