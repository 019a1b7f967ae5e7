/** A worker thread of bounded-set.test.ts. It adds strings that other workers also add, and reports which of them became members of the set. */
import { parentPort, workerData } from 'node:worker_threads';
import { BoundedSet } from '@sluice/threads';

interface Work {
  readonly memory: SharedArrayBuffer;
  readonly limit: number;
  readonly count: number;
  readonly first: number;
}

const { memory, limit, count, first } = workerData as Work;
const set = new BoundedSet(memory, limit);
const members: string[] = [];
for (let i = 0; i < count; i++) {
  const text = `host ${(first + i * 7) % count}`;
  if (set.add(text)) members.push(text);
}
parentPort?.postMessage(members, []);
