import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { HeaderMap } from '@sluice/http1';
import { MemoryStore } from '../../src/cache/store/memory-store.ts';

const user = fileURLToPath(new URL('memory-user.ts', import.meta.url));

describe('MemoryStore', () => {
  it('MemoryStore never returns wrong bytes while other threads store, replace, remove and evict responses', async () => {
    const memory = new SharedArrayBuffer(8 * 1024 * 1024);
    const threads = [1, 2, 3].map((thread) => new Worker(user, { workerData: { memory, thread, rounds: 400 } }));
    let read = 0;
    for (const [result] of await Promise.all(threads.map((worker) => once(worker, 'message')))) {
      const { read: count, wrong } = result as { read: number; wrong: number };
      expect(wrong).to.equal(0);
      read += count;
    }
    expect(read).to.be.greaterThan(100);
    await Promise.all(threads.map((worker) => worker.terminate()));
    const store = new MemoryStore(memory, 0);
    const { evicted, total } = store.usage;
    expect(evicted).to.be.greaterThan(10);
    for (let i = 0; i < 40; i++) store.remove(`key ${i}`);
    // All blocks must be free again. Otherwise, memory has leaked.
    expect(store.usage).to.deep.include({ objects: 0, used: 0, total });
    expect(store.find('key 1', new HeaderMap())).to.equal(null);
  }).timeout(20_000);

  it("MemoryStore wakes requests that wait for another thread's fetch", async () => {
    const memory = new SharedArrayBuffer(1024 * 1024);
    const [one, two] = [new MemoryStore(memory, 1), new MemoryStore(memory, 2)];
    expect(two.remoteFetch('k')).to.equal(null);
    one.announce('k');
    const waiting = two.remoteFetch('k');
    expect(waiting).not.to.equal(null);
    one.announceEnd('k');
    await waiting;
    expect(two.remoteFetch('k')).to.equal(null);
  });
});
