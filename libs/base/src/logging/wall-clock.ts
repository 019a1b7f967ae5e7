/** The time of day of moments that are known already: to ask the system twice costs a busy log more than its fields. */
import { performance } from 'node:perf_hooks';

/** How long the clocks are taken to run alike, in milliseconds; the clock may be set meanwhile. */
const trust = 1000;
let offset = 0;
let readAgainAt = Number.NEGATIVE_INFINITY;

/** Milliseconds since 1970, whole ones, of a moment of `performance.now()` that is about now. */
export function timeOfDay(moment: number): number {
  if (moment >= readAgainAt) {
    offset = Date.now() - performance.now();
    readAgainAt = moment + trust;
  }
  return Math.floor(offset + moment);
}
