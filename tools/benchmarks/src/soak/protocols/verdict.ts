/** Judges the samples of the soak test of all protocols. */
import { growthRatio, slopePerMinute, type Point } from './trend.ts';
import type { Sample } from './served.ts';

/**
 * Maximum growth of memory in ten minutes, in bytes. In this time, a server handles 3,200 connections and 8,800 requests, so the bound is
 * 330 bytes per connection or 120 bytes per request. No object of a connection or request is that small.
 */
const memoryBound = 1024 * 1024;
/** Maximum ratio of resident memory between the last and the first quarter. Resident memory includes garbage and fragmentation. */
const residentBound = 1.1;
/** Maximum growth of the number of descriptors in ten minutes: one in a thousand connections. */
const descriptorBound = 3;

export interface Growth {
  /** Growth of memory after garbage collection in ten minutes, in bytes. */
  readonly collected: number;
  /** Growth of the memory that `malloc` has allocated in ten minutes, in bytes. */
  readonly allocated: number;
  /** Ratio of resident memory between the last and the first quarter. */
  readonly resident: number;
  /** Growth of the number of file descriptors in ten minutes. */
  readonly descriptors: number;
}

/** Computes the growth of all values, from the samples after `settleMinutes`. */
export function growthOf(samples: readonly Sample[], settleMinutes: number): Growth {
  const settled = samples.filter(({ minute }) => minute >= settleMinutes);
  const points = (pick: (sample: Sample) => number): Point[] =>
    settled.map((sample) => ({ minute: sample.minute, value: pick(sample) }));
  const slope = (pick: (sample: Sample) => number): number => 10 * slopePerMinute(points(pick));
  return {
    collected: slope(({ collected }) => collected),
    allocated: slope(({ allocated }) => allocated),
    resident: growthRatio(points(({ resident }) => resident)),
    descriptors: slope(({ descriptors }) => descriptors),
  };
}

/** Returns a message for each value that grew too much. */
export function findGrowth(growth: Growth): string[] {
  const found: string[] = [];
  if (growth.collected > memoryBound)
    found.push(`memory after garbage collection grew by ${Math.round(growth.collected / 1024)} KiB in ten minutes`);
  if (growth.allocated > memoryBound)
    found.push(`memory allocated by malloc grew by ${Math.round(growth.allocated / 1024)} KiB in ten minutes`);
  if (growth.resident > residentBound)
    found.push(`resident memory grew by ${Math.round((growth.resident - 1) * 100)}%`);
  if (growth.descriptors > descriptorBound)
    found.push(`file descriptors grew by ${growth.descriptors.toFixed(1)} in ten minutes`);
  return found;
}
