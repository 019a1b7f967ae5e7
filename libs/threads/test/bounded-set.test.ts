import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { BoundedSet } from '@sluice/threads';

const adder = new URL('./bounded-set-adder.ts', import.meta.url);

function memoryFor(limit: number): SharedArrayBuffer {
  return new SharedArrayBuffer(BoundedSet.bytesFor(limit));
}

describe('BoundedSet', () => {
  it('BoundedSet accepts strings up to its limit, and makes the strings visible to all threads', () => {
    const memory = memoryFor(3);
    const [one, two] = [new BoundedSet(memory, 3), new BoundedSet(memory, 3)];
    expect(['a', 'b', 'a', 'c', 'd'].map((text) => one.add(text))).to.deep.equal([true, true, true, true, false]);
    expect(['d', 'c', 'b', 'a', ''].map((text) => two.add(text))).to.deep.equal([false, true, true, true, false]);
    expect([one.size, two.size]).to.deep.equal([3, 3]);
  });

  it('BoundedSet never exceeds its limit, regardless of concurrent additions', async function () {
    this.timeout(30_000);
    const limit = 1000;
    const count = 20_000;
    const memory = memoryFor(limit);
    const workers = [0, 5000, 10_000, 15_000].map(
      (first) => new Worker(adder, { workerData: { memory, limit, count, first } }),
    );
    const members = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0] as string[]));
    const all = new Set(members.flat());
    expect(all.size).to.equal(limit);
    const set = new BoundedSet(memory, limit);
    expect(set.size).to.equal(limit);
    for (let i = 0; i < count; i++) expect(set.add(`host ${i}`), `host ${i}`).to.equal(all.has(`host ${i}`));
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});
