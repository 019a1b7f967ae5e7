/**
 * Times requests that were served in one turn of the event loop, which do nothing but compute. To read the clock would be the
 * dearest part of counting them: where there are many, one is timed for up to 256.
 */
import { performance } from 'node:perf_hooks';
import { guarded, taskOf } from '@sluice/base';
import { bucketOf } from '@sluice/threads';
import type { Exchange } from '../exchange/exchange.ts';
import type { PlaceCounter } from '../exchange/place.ts';

/** With less time than this between requests that are timed, in milliseconds, fewer are. */
const leastTime = 10;
const maxBatch = 256;
/** A batch that takes longer, in milliseconds, is ended: requests have become few. */
const patience = 100;

/** Times the requests of a thread. */
export class Timing {
  /** Counters of which not every request is timed. */
  readonly #hurried = new Set<PlaceCounter>();
  #timer: NodeJS.Timeout | null = null;

  /** Times a request, for all of its batch. */
  time({ startedAt }: Exchange, counter: PlaceCounter): void {
    const now = performance.now();
    counter.lastBucket = bucketOf(now - startedAt);
    counter.block?.observe(counter.lastBucket, counter.batch);
    counter.batch = now - counter.timedAt < leastTime ? Math.min(counter.batch * 2, maxBatch) : 1;
    counter.left = counter.batch;
    counter.timedAt = now;
    if (counter.batch === 1) return;
    this.#hurried.add(counter);
    this.#timer ??= setTimeout(this.#endBatches, patience).unref();
  }

  readonly #endBatches = guarded(taskOf('stats'), () => {
    this.#timer = null;
    for (const counter of this.#hurried) {
      counter.batch = counter.batch - counter.left + 1;
      counter.left = 1;
    }
    this.#hurried.clear();
  });
}

/** Counts the requests of a batch that is not complete as the one that was timed last. */
export function endBatch(counter: PlaceCounter): void {
  const untimed = counter.batch - counter.left;
  if (untimed > 0) counter.block?.observe(counter.lastBucket, untimed);
  counter.batch = counter.left = 1;
}
