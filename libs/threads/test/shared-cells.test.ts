import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import fc from 'fast-check';
import { allocateSharedCells, SharedCells, type SharedCell } from '@sluice/threads';
import { SluiceError } from '@sluice/base';

const stressor = new URL('./shared-cells-stressor.ts', import.meta.url);

describe('SharedCells', () => {
  it('SharedCells.acquire returns the same memory for the same key in every thread, and different memory for different keys', () => {
    const memory = allocateSharedCells({ capacity: 8, threads: 2 });
    const [one, two] = [new SharedCells(memory, 0), new SharedCells(memory, 1)];
    const [a, b, other] = [one.acquire('a'), two.acquire('a'), two.acquire('b')];
    expect(a.add(2, 5)).to.equal(5);
    expect(b.add(2, -2)).to.equal(3);
    b.setNumber(3, 0.5);
    expect([a.get(2), a.number(3), other.get(2), other.number(3)]).to.deep.equal([3, 0.5, 0, 0]);
    expect(a.compareExchange(2, 3, 9)).to.equal(3);
    expect(a.compareExchange(2, 3, 10)).to.equal(9);
    expect(b.get(2)).to.equal(9);
  });

  it('SharedCells keeps a cell while it has users, and zeroes the cell for a new key', () => {
    const memory = allocateSharedCells({ capacity: 1, threads: 2 });
    const [one, two] = [new SharedCells(memory, 0), new SharedCells(memory, 1)];
    const [a, again, there] = [one.acquire('a'), one.acquire('a'), two.acquire('a')];
    a.set(7, 1);
    a.setNumber(0, 1);
    a.release();
    a.release();
    again.release();
    expect(there.get(7)).to.equal(1);
    expect(() => one.acquire('b'))
      .to.throw(SluiceError)
      .with.property('code', 'ERR_CELLS_FULL');
    there.release();
    const b = one.acquire('b');
    expect([b.get(7), b.number(0)]).to.deep.equal([0, 0]);
  });

  it('SharedCells.reap undoes increments of an exited thread, and releases its cells', () => {
    const memory = allocateSharedCells({ capacity: 4, threads: 3 });
    const [control, alive, dead] = [0, 1, 2].map((thread) => new SharedCells(memory, thread)) as [
      SharedCells,
      SharedCells,
      SharedCells,
    ];
    const kept = alive.acquire('upstream');
    const lost = dead.acquire('upstream');
    dead.acquire('only its own');
    kept.enter(0);
    for (let i = 0; i < 3; i++) lost.enter(0);
    lost.leave(0);
    for (let i = 0; i < 3; i++) lost.enter(1);
    lost.leave(1);
    expect([kept.get(0), kept.get(1)]).to.deep.equal([3, 2]);
    control.reap(2);
    expect([kept.get(0), kept.get(1)]).to.deep.equal([1, 0]);
    expect(control.inUse()).to.equal(1);
    const reborn = new SharedCells(memory, 2).acquire('upstream');
    expect(reborn.enter(0)).to.equal(2);
  });

  it('SharedCell.enterBelow increments a counter only below the limit, and the increment is undone when the thread exits', () => {
    const memory = allocateSharedCells({ capacity: 2, threads: 2 });
    const [one, two] = [new SharedCells(memory, 0), new SharedCells(memory, 1)];
    const [a, b] = [one.acquire('a'), two.acquire('a')];
    expect([a.enterBelow(1, 2), b.enterBelow(1, 2), a.enterBelow(1, 2)]).to.deep.equal([true, true, false]);
    expect(b.leave(1)).to.equal(1);
    expect([b.get(1), b.enterBelow(1, 0), b.enterBelow(1, 2)]).to.deep.equal([1, false, true]);
    one.reap(1);
    expect(a.get(1)).to.equal(1);
  });

  it('SharedCell.release undoes increments made by the thread', () => {
    const memory = allocateSharedCells({ capacity: 4, threads: 2 });
    const [one, two] = [new SharedCells(memory, 0), new SharedCells(memory, 1)];
    const kept = one.acquire('a');
    const left = two.acquire('a');
    left.enter(1);
    left.release();
    expect(kept.get(1)).to.equal(0);
  });

  it('SharedCells behaves like a map of reference-counted counters (property)', () => {
    const threads = 3;
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    const step = fc.record({
      thread: fc.nat(threads - 1),
      key: fc.constantFrom(...keys),
      action: fc.constantFrom('acquire', 'release', 'add'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const memory = allocateSharedCells({ capacity: 7, threads });
        const views = Array.from({ length: threads }, (_, thread) => new SharedCells(memory, thread));
        const held = views.map(() => new Map<string, SharedCell[]>());
        const model = new Map<string, { holders: number; value: number }>();
        for (const { thread, key, action } of steps) {
          const own = held[thread]!;
          const cells = own.get(key) ?? [];
          own.set(key, cells);
          const entry = model.get(key) ?? { holders: 0, value: 0 };
          if (action === 'acquire') {
            cells.push(views[thread]!.acquire(key));
            model.set(key, { ...entry, holders: entry.holders + 1 });
          } else if (cells.length > 0 && action === 'add') {
            model.set(key, { ...entry, value: entry.value + 1 });
            expect(cells[0]!.add(3, 1)).to.equal(entry.value + 1);
          } else if (cells.length > 0) {
            cells.pop()!.release();
            if (entry.holders === 1) model.delete(key);
            else model.set(key, { ...entry, holders: entry.holders - 1 });
          }
          for (const [other, { value }] of model) {
            const some = held.map((each) => each.get(other)?.[0]).find((cell) => cell !== undefined);
            expect(some?.get(3)).to.equal(value);
          }
          expect(views[0]!.inUse()).to.equal(model.size);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('SharedCells keeps exact counts while threads concurrently acquire, use and release the same few keys @long', async function () {
    this.timeout(30_000);
    const threads = 4;
    const memory = allocateSharedCells({ capacity: 11, threads: threads + 1 });
    const results = new Int32Array(new SharedArrayBuffer(64));
    const workers = Array.from(
      { length: threads },
      (_, index) => new Worker(stressor, { workerData: { memory, thread: index + 1, threads, rounds: 400, results } }),
    );
    const ended = await Promise.all(
      workers.map(
        (worker) =>
          new Promise<unknown>((resolve) => {
            worker.once('error', resolve);
            worker.once('exit', resolve);
          }),
      ),
    );
    expect(ended).to.deep.equal(workers.map(() => 0));
    expect(new SharedCells(memory, 0).inUse()).to.equal(0);
  });

  it('SharedCells never blocks when threads are terminated at any point', async function () {
    this.timeout(30_000);
    const threads = 3;
    const memory = allocateSharedCells({ capacity: 64, threads: threads + 1 });
    const control = new SharedCells(memory, 0);
    const watched = control.acquire('key 0');
    for (let round = 0; round < 8; round++) {
      const workers = Array.from(
        { length: threads },
        (_, index) =>
          new Worker(stressor, { workerData: { memory, thread: index + 1, threads: 0, rounds: 1e9, results: null } }),
      );
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 20));
      await Promise.all(workers.map((worker) => worker.terminate()));
      for (let thread = 1; thread <= threads; thread++) control.reap(thread);
    }
    expect(watched.get(0)).to.be.within(-2, 2);
    expect(control.inUse()).to.be.at.most(3);
  });
});
