/**
 * The time while a read is worked through. What one read of an upstream brings takes microseconds, and asked the clock six
 * times: for the latency, for deadlines, for the date. That was a fiftieth of all that a small proxied request cost.
 */
import { performance } from 'node:perf_hooks';

/** When the read that is worked through began; 0 while there is none. */
let readAt = 0;

/** A read begins. Its socket has to call {@link endRead} before anything else has its turn. */
export function beginRead(): void {
  readAt = performance.now();
}

/** All is done that the read has caused at once. */
export function endRead(): void {
  readAt = 0;
}

/** The time, in milliseconds of `performance.now()`: within a read that of its begin. For times of what has come by it. */
export function timeOfRead(): number {
  return readAt === 0 ? performance.now() : readAt;
}
