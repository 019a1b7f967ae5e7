/** Converts monotonic timestamps to wall-clock time. Reading both system clocks would cost a busy log more than formatting its fields. */
import { performance } from 'node:perf_hooks';

/** Milliseconds for which the offset between the clocks is cached; the wall clock may be adjusted meanwhile. */
const trust = 1000;
let offset = 0;
let readAgainAt = Number.NEGATIVE_INFINITY;

/** Converts a recent `performance.now()` timestamp to whole milliseconds since the Unix epoch. */
export function timeOfDay(moment: number): number {
  if (moment >= readAgainAt) {
    offset = Date.now() - performance.now();
    readAgainAt = moment + trust;
  }
  return Math.floor(offset + moment);
}
