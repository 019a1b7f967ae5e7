/** Converts monotonic timestamps to wall-clock time. Reading both system clocks would cost a busy log more than formatting its fields. */
import { performance } from 'node:perf_hooks';

/** Cache lifetime of the clock offset in milliseconds. The wall clock may be adjusted. */
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
