/**
 * A worker thread of shared-cells.test.ts. It acquires and releases keys that it shares with other workers, and checks that counts are
 * exact.
 */
import { workerData } from 'node:worker_threads';
import { SharedCells, type SharedCellsMemory } from '@sluice/threads';

interface Work {
  readonly memory: SharedCellsMemory;
  readonly thread: number;
  /** Number of threads that synchronize after each round. With 0, threads never synchronize and run until they are terminated. */
  readonly threads: number;
  readonly rounds: number;
  /** Index 0 contains the number of times that threads have reached the barrier, summed over all rounds. */
  readonly results: Int32Array | null;
}

const { memory, thread, threads, rounds, results } = workerData as Work;
const cells = new SharedCells(memory, thread);

function meet(count: number): void {
  if (results === null) return;
  Atomics.add(results, 0, 1);
  Atomics.notify(results, 0);
  for (let come = Atomics.load(results, 0); come < count; come = Atomics.load(results, 0))
    Atomics.wait(results, 0, come, 100);
}

let meetings = 0;
for (let round = 0; round < rounds; round++) {
  // All threads concurrently acquire the same new key and a few other keys.
  const others = Array.from({ length: 3 }, (_, i) => cells.acquire(`key ${(round + i + thread) % 5}`));
  for (const other of others) other.enter(0);
  meet(++meetings * threads);
  const cell = cells.acquire(`round ${round}`);
  cell.add(2, 1);
  for (const other of others) {
    other.leave(0);
    other.release();
  }
  meet(++meetings * threads);
  if (results !== null && cell.get(2) !== threads)
    throw new Error(`round ${round}: ${cell.get(2)} of ${threads} found the same cell`);
  meet(++meetings * threads);
  cell.release();
}
