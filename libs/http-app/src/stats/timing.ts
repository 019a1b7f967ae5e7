/**
 * Measures the latency of requests that complete within one event loop turn. Reading the clock would cost more than the counting itself, so
 * under load only one of up to 256 requests is timed.
 */
import { performance } from 'node:perf_hooks';
import { guarded, taskOf } from '@sluice/base';
import { bucketOf } from '@sluice/threads';
import type { Exchange } from '../exchange/exchange.ts';
import type { PlaceCounter } from '../exchange/place.ts';

/** Minimum time between timed requests, in milliseconds. If the interval would be shorter, fewer requests are timed. */
const leastTime = 10;
const maxBatch = 256;
/**
 * Maximum duration, in milliseconds, of a batch of requests that share one measurement. A longer batch means that requests have become
 * rare.
 */
const batchDelay = 100;

export class Timing {
  /** Counters that currently time only some of their requests. */
  readonly #hurried = new Set<PlaceCounter>();
  #timer: NodeJS.Timeout | null = null;

  /** Times a request, and counts its whole batch with the measured latency. */
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

/** Counts the remaining requests of an incomplete batch with the latency of the last timed request. */
export function endBatch(counter: PlaceCounter): void {
  const untimed = counter.batch - counter.left;
  if (untimed > 0) counter.block?.observe(counter.lastBucket, untimed);
  counter.batch = counter.left = 1;
}
