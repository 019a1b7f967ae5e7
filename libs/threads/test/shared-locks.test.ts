import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { lock, unlock } from '@sluice/threads';

/** Worker code that increments a plain number in shared memory while it holds a lock. */
const code = `
  const { workerData } = require('node:worker_threads');
  import(workerData.module).then(({ lock, unlock }) => {
    const words = new Int32Array(workerData.memory);
    for (let i = 0; i < workerData.times; i++) {
      lock(words, 0, workerData.thread);
      words[1] = words[1] + 1;
      unlock(words, 0);
    }
  });
`;

describe('lock', () => {
  it('lock() admits one thread at a time @long', async () => {
    const memory = new SharedArrayBuffer(8);
    const module = import.meta.resolve('@sluice/threads');
    const [threads, times] = [4, 20_000];
    const ended = Array.from({ length: threads }, (_, thread) => {
      const worker = new Worker(code, { eval: true, workerData: { module, memory, thread, times } });
      return new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
    });
    await Promise.all(ended);
    expect([...new Int32Array(memory)]).to.deep.equal([0, threads * times]);
  });

  it('lock() acquires the lock even if another thread never releases it', function () {
    this.timeout(20_000);
    const words = new Int32Array(new SharedArrayBuffer(4));
    lock(words, 0, 1);
    lock(words, 0, 2);
    unlock(words, 0);
    expect(words[0]).to.equal(0);
  });
});
