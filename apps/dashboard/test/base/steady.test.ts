import { expect } from 'chai';
import fc from 'fast-check';
import { inPlaces } from '../../src/page/base/steady.ts';

interface Row {
  readonly key: string;
  readonly idle?: boolean;
}

const rows = (keys: string): Row[] => [...keys].map((key) => ({ key }));
const idle = (row: Row): Row => ({ ...row, idle: true });
const shown = (list: readonly Row[]): string =>
  list.map((row) => (row.idle === true ? `(${row.key})` : row.key)).join('');

describe('dashboard function inPlaces', () => {
  it('inPlaces keeps existing entries in their positions, even if the new list has a different order', () => {
    expect(shown(inPlaces(rows('abc'), rows('cab'), idle))).to.equal('abc');
  });

  it('inPlaces puts new entries in the positions of removed entries, and appends the rest', () => {
    expect(shown(inPlaces(rows('abc'), rows('xcya'), idle))).to.equal('axcy');
  });

  it('inPlaces keeps removed entries as idle until new entries replace them', () => {
    expect(shown(inPlaces(rows('abc'), rows('c'), idle))).to.equal('(a)(b)c');
    expect(shown(inPlaces(inPlaces(rows('abc'), rows('c'), idle), rows('bc'), idle))).to.equal('(a)bc');
  });

  it('inPlaces returns each entry exactly once and never moves an existing entry, for any sequence of lists', () => {
    const keys = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'), { maxLength: 8 })
      .map((each) => each.join(''));
    fc.assert(
      fc.property(fc.array(keys, { minLength: 1, maxLength: 12 }), (seconds) => {
        let places: Row[] = [];
        for (const second of seconds) {
          const before = places;
          places = inPlaces(before, rows(second), idle);
          const busy = places.filter((row) => row.idle !== true).map(({ key }) => key);
          expect(busy.toSorted()).to.deep.equal([...second].toSorted());
          for (const [index, { key }] of before.entries())
            if (second.includes(key)) expect(places[index]?.key).to.equal(key);
        }
      }),
    );
  });
});
