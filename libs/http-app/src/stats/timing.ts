/**
 * Times requests that are served within one event loop turn. Reading the clock would be the most expensive part of
 * counting them, so under load only one of up to 256 is timed.
 */
import { performance } from 'node:perf_hooks';
import { guarded, taskOf } from '@sluice/base';
import { bucketOf } from '@sluice/threads';
import type { Exchange } from '../exchange/exchange.ts';
import type { PlaceCounter } from '../exchange/place.ts';

/** Fewer requests are timed if they would follow each other faster than this, in milliseconds. */
const leastTime = 10;
const maxBatch = 256;
/** Maximum duration of a batch, in milliseconds. Longer batches mean that requests have become rare. */
const batchDelay = 100;

export class Timing {
  /** Counters that time only some requests. */
  readonly #hurried = new Set<PlaceCounter>();
  #timer: NodeJS.Timeout | null = null;

  /** Times a request, and counts its batch with the same time. */
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

/** Counts the rest of an incomplete batch with the time of the last timed request. */
export function endBatch(counter: PlaceCounter): void {
  const untimed = counter.batch - counter.left;
  if (untimed > 0) counter.block?.observe(counter.lastBucket, untimed);
  counter.batch = counter.left = 1;
}
