/** A worker thread of tally.test.ts. For a number of rounds, it counts in two blocks and occasionally renames one of them. */
import { workerData } from 'node:worker_threads';
import { inFlightNumber, Slab, Tally } from '@sluice/threads';

interface Work {
  readonly slabs: readonly SharedArrayBuffer[];
  /** Number of rounds. 0 means to run until terminated. */
  readonly rounds: number;
  /** Intended counts, which the worker writes before each increment. */
  readonly begun: Float64Array;
}

const { slabs, rounds, begun } = workerData as Work;
const tally = new Tally(
  slabs.map((memory) => new Slab(memory)),
  () => undefined,
);
for (let round = 0; rounds === 0 || round < rounds; round++) {
  const block = tally.acquire(`host ${round % 8}`);
  begun[0] = (begun[0] as number) + 1;
  block?.add(inFlightNumber, 1);
  block?.add(0, 1);
  block?.observe(round % 100, 1);
  if (rounds !== 0) block?.add(inFlightNumber, -1);
  if (block !== null && round % 5 === 4) tally.rename(block, 'others');
}
