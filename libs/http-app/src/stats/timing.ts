/**
 * Times requests that are served in one event loop turn, without waiting. Reading the clock would be the most expensive part of counting
 * these requests, so under load, only one in up to 256 is timed.
 */
import { performance } from 'node:perf_hooks';
import { guarded, taskOf } from '@sluice/base';
import { bucketOf } from '@sluice/threads';
import type { Exchange } from '../exchange/exchange.ts';
import type { PlaceCounter } from '../exchange/place.ts';

/** If timed requests would follow each other faster than this time in milliseconds, fewer requests are timed. */
const leastTime = 10;
const maxBatch = 256;
/** Maximum duration of a batch, in milliseconds; after that, requests have become rare. */
const batchDelay = 100;

/** Times the requests of a thread. */
export class Timing {
  /** Counters that don't time every request. */
  readonly #hurried = new Set<PlaceCounter>();
  #timer: NodeJS.Timeout | null = null;

  /** Times a request on behalf of its whole batch. */
  time({ startedAt }: Exchange, counter: PlaceCounter): void {
    const now = performance.now();
    counter.lastBucket = bucketOf(now - startedAt);
    counter.block?.observe(counter.lastBucket, counter.batch);
    counter.batch = now - counter.timedAt < leastTime ? Math.min(counter.batch * 2, maxBatch) : 1;
    counter.left = counter.batch;
    counter.timedAt = now;
    if (counter.batch === 1) return;
    this.#hurried.add(counter);
    this.#timer ??= setTimeout(this.#endBatches, batchDelay).unref();
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

/** Counts the requests of an incomplete batch like the last timed request. */
export function endBatch(counter: PlaceCounter): void {
  const untimed = counter.batch - counter.left;
  if (untimed > 0) counter.block?.observe(counter.lastBucket, untimed);
  counter.batch = counter.left = 1;
}
