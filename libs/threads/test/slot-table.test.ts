import { expect } from 'chai';
import { allocateSharedCells, SharedCells, type SharedCell } from '@sluice/threads';

/** Slot states that a thread leaves behind if it is terminated during an insertion. */
const unfinished: [name: string, state: number][] = [
  ['is claiming a slot', 1],
  ['is checking whether other threads insert its key', 2],
  ['is about to search again because another thread inserts its key', 3],
];

describe('SlotTable', () => {
  const open = (capacity: number, threads = 3) => {
    const memory = allocateSharedCells({ capacity, threads });
    const cells = Array.from({ length: threads }, (_, thread) => new SharedCells(memory, thread));
    return { cells, words: new Int32Array(memory.table, 0, capacity), memory };
  };
  const thread = (cells: SharedCells[], number: number): SharedCells => cells[number] as SharedCells;

  it('SlotTable rejects unknown thread numbers', () => {
    const { memory } = open(4);
    for (const number of [-1, 3, 4])
      expect(() => new SharedCells(memory, number))
        .to.throw(`thread number ${number} is out of range`)
        .with.property('code', 'ERR_THREAD');
  });

  it('SlotTable accepts as many keys as it has slots, for any home slots, and finds all keys', () => {
    const { cells } = open(64);
    const keys = Array.from({ length: 64 }, (_, i) => `key ${i}`);
    const taken = keys.map((key, i) => {
      const cell = thread(cells, 0).acquire(key);
      cell.set(0, i);
      return cell;
    });
    expect(() => thread(cells, 1).acquire('one more')).to.throw('all 64 cells of shared memory are in use');
    expect(keys.map((key) => thread(cells, 1).acquire(key).get(0))).to.deep.equal(keys.map((_, i) => i));
    expect(thread(cells, 2).inUse()).to.equal(64);
    for (const cell of taken) cell.release();
    expect(thread(cells, 2).inUse()).to.equal(64);
    thread(cells, 0).reap(1);
    expect(thread(cells, 2).inUse()).to.equal(0);
  });

  it('SlotTable releases a slot only once if its thread releases it and then exits', () => {
    const { cells } = open(4);
    thread(cells, 0).acquire('a');
    thread(cells, 1).acquire('a').release();
    thread(cells, 0).reap(1);
    expect(thread(cells, 2).inUse()).to.equal(1);
  });

  for (const [name, state] of unfinished) {
    it(`SlotTable frees a slot if its thread is terminated while it ${name}, without affecting other slots`, () => {
      const { cells, words } = open(3);
      for (const [slot, owner] of [1, 2, 1].entries()) words[slot] = state | (owner << 3);
      expect(() => thread(cells, 0).acquire('a')).to.throw('in use');
      thread(cells, 0).reap(1);
      const [a, b] = [thread(cells, 0).acquire('a'), thread(cells, 0).acquire('b')];
      expect(() => thread(cells, 0).acquire('c')).to.throw('in use');
      expect(thread(cells, 0).inUse()).to.equal(2);
      a.release();
      b.release();
      thread(cells, 0).reap(2);
      for (const key of ['a', 'b', 'c']) thread(cells, 0).acquire(key);
      expect(thread(cells, 0).inUse()).to.equal(3);
    });
  }

  it('SlotTable marks the slot in which another thread is inserting the same key, so that the other thread searches again', () => {
    const { cells, words } = open(4);
    const first = thread(cells, 1).acquire('a');
    const slot = words.findIndex((word) => word !== 0);
    // Simulates that thread 1 has published the key but has not yet searched for duplicates.
    const version = (words[slot] as number) >> 14;
    words[slot] = 2 | (1 << 3) | (version << 14);
    const second = thread(cells, 0).acquire('a');
    expect(words[slot] & 7).to.equal(3);
    expect((words[slot] >> 3) & 0x7ff).to.equal(1);
    second.set(0, 7);
    expect(thread(cells, 2).acquire('a').get(0)).to.equal(7);
    expect(first.get(0)).to.equal(0);
  });

  it('SlotTable assigns a slot to a key only if the whole fingerprint matches', () => {
    for (const half of [0, 1]) {
      const { cells, memory } = open(1);
      const cell = thread(cells, 0).acquire('a');
      const prints = new Int32Array(memory.table, 8, 2);
      const print = prints[half] as number;
      prints[half] = print + 1;
      expect(() => thread(cells, 1).acquire('a'), `half ${half}`).to.throw('in use');
      prints[half] = print;
      cell.set(0, 7);
      expect(thread(cells, 1).acquire('a').get(0)).to.equal(7);
    }
  });

  it('SlotTable changes the version of a slot each time the slot is freed, so that threads detect a reused slot', () => {
    const { cells, words } = open(1);
    const seen = new Set<number>();
    for (let i = 0; i < 100; i++) {
      thread(cells, i % 3)
        .acquire(`key ${i}`)
        .release();
      expect((words[0] as number) & 0x3fff).to.equal(0);
      seen.add(words[0] as number);
    }
    expect(seen.size).to.equal(100);
  });

  it('SlotTable zeroes a slot for a new key, and does not change neighboring slots', () => {
    const { cells } = open(3);
    const fill = (key: string, value: number) => {
      const cell = thread(cells, 0).acquire(key);
      for (let i = 0; i < 8; i++) cell.set(i, value);
      for (let i = 0; i < 4; i++) cell.setNumber(i, value / 2);
      return cell;
    };
    const allOf = (cell: SharedCell): readonly number[] => [
      ...Array.from({ length: 8 }, (_, i) => cell.get(i)),
      ...Array.from({ length: 4 }, (_, i) => 2 * cell.number(i)),
    ];
    const held = [1, 2, 3].map((value) => fill(`key ${value}`, value));
    for (const [at, cell] of held.entries()) {
      // The table is full, so the new key is stored in this slot.
      cell.release();
      const again = thread(cells, 1).acquire(`new ${at}`);
      expect(allOf(again)).to.deep.equal(Array(12).fill(0));
      for (let other = at + 1; other < held.length; other++)
        expect(allOf(held[other] as SharedCell)).to.deep.equal(Array(12).fill(other + 1));
    }
  });

  it('SharedCells tracks increments per thread, counter and key', () => {
    const { cells } = open(8);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const held = cells.map((each) => keys.map((key) => each.acquire(key)));
    const entered = (number: number, key: number, counter: number): number => number * 10 + key * 2 + counter;
    for (const [number, list] of held.entries())
      for (const [key, cell] of list.entries())
        for (const counter of [0, 1])
          for (let i = 0; i < entered(number, key, counter); i++) cell.enter(counter as 0 | 1);
    thread(cells, 0).reap(1);
    for (const list of [held[0] ?? [], held[2] ?? []])
      for (const [key, cell] of list.entries())
        for (const counter of [0, 1])
          expect(cell.get(counter)).to.equal(entered(0, key, counter) + entered(2, key, counter));
    for (const cell of held[2] ?? []) cell.release();
    for (const [key, cell] of (held[0] ?? []).entries())
      for (const counter of [0, 1]) expect(cell.get(counter)).to.equal(entered(0, key, counter));
    held[0]?.[4]?.leave(1);
    for (const cell of held[0] ?? []) cell.release();
    expect(thread(cells, 0).inUse()).to.equal(0);
  });
});
