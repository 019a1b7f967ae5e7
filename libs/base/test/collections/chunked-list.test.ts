import { ChunkedList, spliceOfLists } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

/** A random list change: position, number of removed elements, and number of inserted elements. */
const change = fc.record({ at: fc.nat(1000), removed: fc.nat(1000), inserted: fc.nat(300) });
const small = fc.record({ at: fc.nat(1000), removed: fc.nat(2), inserted: fc.nat(2) });

/** Number of elements created so far, which makes every element distinct. */
let made = 0;
function elements(count: number): number[] {
  return Array.from({ length: count }, () => made++);
}

function expectSame(list: ChunkedList<number>, array: readonly number[]): void {
  expect([...list]).to.deep.equal(array);
  expect(list.toArray()).to.deep.equal(array);
  expect(list.length).to.equal(array.length);
  expect(list.chunks.flat()).to.deep.equal(array);
  const sizes = list.chunks.map((chunk) => chunk.length);
  expect(Math.max(0, ...sizes)).to.be.at.most(128);
  expect(sizes).not.to.include(0);
}

/** Returns the chunks of a list that another list does not share. */
function own(list: ChunkedList<number>, other: ChunkedList<number>): (readonly number[])[] {
  const known = new Set(other.chunks);
  return list.chunks.filter((chunk) => !known.has(chunk));
}

describe('ChunkedList', () => {
  it('ChunkedList behaves like an array after arbitrary changes, and does not modify the previous list', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.array(fc.oneof(change, small), { maxLength: 12 }), (length, changes) => {
        let array: readonly number[] = elements(length);
        let list = ChunkedList.of(array);
        expectSame(list, array);
        for (const { at, removed, inserted } of changes) {
          const start = at % (array.length + 1);
          const count = removed % (array.length - start + 1);
          const added = elements(inserted);
          const next = list.replace(start, count, added);
          const nextArray = array.toSpliced(start, count, ...added);
          expectSame(next, nextArray);
          expectSame(list, array);
          const splice = spliceOfLists(list, next);
          expect(
            array.toSpliced(splice.start, splice.removed, ...next.slice(splice.start, splice.start + splice.inserted)),
          ).to.deep.equal(nextArray);
          expect(splice.removed).to.equal(count);
          expect(splice.inserted).to.equal(inserted);
          [list, array] = [next, nextArray];
        }
      }),
    );
  });

  it('ChunkedList.at and slice find elements by index', () => {
    const array = elements(1000);
    const list = ChunkedList.of(array);
    for (const index of [0, 1, 63, 64, 127, 500, 999]) expect(list.at(index)).to.equal(array[index]);
    expect([list.at(-1), list.at(1000), ChunkedList.of<number>([]).at(0)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (start, end) => {
        expect(list.slice(start, end)).to.deep.equal(array.slice(start, end));
      }),
    );
  });

  it('ChunkedList.map passes elements and indexes to the callback', () => {
    const list = ChunkedList.of(elements(300)).map((_, index) => index * 2);
    expectSame(
      list,
      Array.from({ length: 300 }, (_, i) => i * 2),
    );
  });

  it('ChunkedList.replace copies one chunk for a changed element, and merges or splits one chunk for insertions and removals', () => {
    const list = ChunkedList.of(elements(10_000));
    const copied = (other: ChunkedList<number>): number => own(other, list).flat().length;
    expect(own(list.replace(5000, 1, elements(1)), list)).to.have.length(1);
    expect(copied(list.replace(5000, 1, elements(1)))).to.be.at.most(128);
    for (const at of [0, 5000, 10_000]) expect(copied(list.replace(at, 0, elements(1)))).to.be.at.most(129);
    for (const at of [0, 64, 5000, 9999]) expect(copied(list.replace(at, 1, []))).to.be.at.most(128);
    expect(copied(list.replace(100, 5000, []))).to.be.at.most(256);
    expect(list.replace(10, 0, [])).to.equal(list);
    expect(ChunkedList.of(list)).to.equal(list);
  });

  it('ChunkedList.replace can insert more elements than the maximum number of function arguments', () => {
    const array = elements(300_000);
    const list = ChunkedList.of([-2, -1]).replace(1, 0, array);
    expect(list.length).to.equal(300_002);
    expect([list.at(0), list.at(1), list.at(300_000), list.at(300_001)]).to.deep.equal([
      -2,
      array[0],
      array.at(-1),
      -1,
    ]);
    expect([...list.replace(1, 300_000, [])]).to.deep.equal([-2, -1]);
  });

  it('ChunkedList.toArray returns a single chunk without copying it', () => {
    const list = ChunkedList.of(elements(128));
    expect(list.chunks).to.have.length(1);
    expect(list.toArray()).to.equal(list.chunks[0]);
  });

  it('ChunkedList limits the number and size of chunks', () => {
    let list = ChunkedList.of(elements(5000));
    for (let i = 0; i < 4000; i++) list = list.replace((i * 7919) % list.length, 1, []);
    expect(list.length).to.equal(1000);
    expect(list.chunks.length).to.be.at.most(1000 / 16 + 1);
    for (let i = 0; i < 4000; i++) list = list.replace(500, 0, elements(1));
    for (let i = 0; i < 1000; i++) list = list.replace(list.length, 0, elements(1));
    expect(list.length).to.equal(6000);
    expect(list.chunks.length).to.be.within(6000 / 128, 6000 / 40);
  });
});

describe('spliceOfLists', () => {
  it('spliceOfLists does not compare elements of shared chunks', () => {
    // NaN is not equal to itself, so a comparison of elements would report differences.
    const list = ChunkedList.of(Array.from({ length: 10_000 }, () => Number.NaN));
    const { start, removed, inserted } = spliceOfLists(list, list.replace(7000, 1, [1]));
    expect(start).to.be.within(7000 - 128, 7000);
    expect(removed).to.equal(inserted);
    expect(removed).to.be.at.most(128);
    expect(spliceOfLists(list, list)).to.deep.equal({ start: 10_000, removed: 0, inserted: 0 });
  });

  it('spliceOfLists compares lists without shared chunks element by element', () => {
    const array = elements(500);
    const [before, after] = [ChunkedList.of(array), ChunkedList.of(array.toSpliced(100, 2, -1))];
    expect(spliceOfLists(before, after)).to.deep.equal({ start: 100, removed: 2, inserted: 1 });
  });

  it('ChunkedList.lowerBound returns the number of elements that are smaller than a value', () => {
    const list = ChunkedList.of(Array.from({ length: 1000 }, (_, n) => 2 * n));
    for (const wanted of [-1, 0, 1, 127, 128, 129, 1000, 1998, 1999])
      expect(list.lowerBound((each) => each - wanted)).to.equal(Math.max(0, Math.ceil(wanted / 2)));
    expect(ChunkedList.of<number>([]).lowerBound((each) => each)).to.equal(0);
  });
});
