import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { ControlBus, topic, type Topic } from '@sluice/threads';
import { spawnWorker } from '../../src/workers/spawn.ts';
import type { WorkerData } from '../../src/workers/worker-data.ts';

const words: Topic<number> = topic('test');

describe('spawnWorker', () => {
  it('the control thread receives all messages of a worker before it treats the worker as exited', async () => {
    for (let round = 0; round < 5; round++) {
      const bus = new ControlBus(silentLogger);
      const received: number[] = [];
      bus.onReport(words, (word) => received.push(word));
      const worker = new Worker(new URL('last-words.ts', import.meta.url));
      const ended = once(worker, 'exit').then(([code]) => code as number);
      const spawned = spawnWorker({ worker, failure: () => null, ended }, {} as WorkerData, silentLogger);
      bus.attach(1, spawned.channel);
      expect(await spawned.gone).to.equal('exited with code 0');
      expect(received).to.deep.equal(Array.from({ length: 2000 }, (_, i) => i));
    }
  });
});
