/**
 * Converts monotonic timestamps to wall-clock time. In a busy log, reading both system clocks for each entry would cost more than
 * formatting the fields of the entry.
 */
import { performance } from 'node:perf_hooks';

/** Maximum age of the cached clock offset, in milliseconds. The cache expires because the wall clock may be adjusted. */
const trust = 1000;
let offset = 0;
let readAgainAt = Number.NEGATIVE_INFINITY;

/** Converts a recent `performance.now()` timestamp to milliseconds since the Unix epoch, as an integer. */
export function timeOfDay(moment: number): number {
  if (moment >= readAgainAt) {
    offset = Date.now() - performance.now();
    readAgainAt = moment + trust;
  }
  return Math.floor(offset + moment);
}
