/**
 * Histogram buckets, for example for latencies. There are 16 buckets per power of two, so quantiles have a relative error of at most 3.2 %.
 *
 * Finding the bucket for a value takes a few instructions and no logarithm.
 */
import { wordAt } from '@sluice/base';

/** Number of buckets per power of two. */
const perOctave = 16;
/** Exponent of the first bucket's lower bound. The first bucket also contains all smaller values. */
const firstOctave = -7;
const octaves = 26;

/** Number of buckets. For values in milliseconds, the buckets range from 8 microseconds to 8.7 minutes. */
export const bucketCount: number = octaves * perOctave;

/** Scratch space to access the bits of a number. The upper half contains the exponent and the leading bits of the mantissa. */
const scratch = new Float64Array(1);
const halves = new Int32Array(scratch.buffer);
const upperHalf = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const offset = (1023 + firstOctave) * perOctave;

/** Returns the bucket for a value. The last bucket also contains all larger values. */
export function bucketOf(value: number): number {
  scratch[0] = value;
  const bucket = (wordAt(halves, upperHalf) >> 16) - offset;
  return bucket < 0 ? 0 : bucket < bucketCount ? bucket : bucketCount - 1;
}

/** Returns the value that represents a bucket. It is chosen to minimize the maximum relative error. */
export function valueOf(bucket: number): number {
  const octave = 2 ** (Math.floor(bucket / perOctave) + firstOctave);
  const low = octave * (1 + (bucket % perOctave) / perOctave);
  const high = low + octave / perOctave;
  return (2 * low * high) / (low + high);
}

/** Statistics of a distribution. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Computes the statistics of a distribution. Returns `null` if the distribution is empty. */
export function distributionOf(buckets: ArrayLike<number>): Distribution | null {
  let count = 0;
  let sum = 0;
  let last = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const values = buckets[bucket] ?? 0;
    if (values === 0) continue;
    count += values;
    sum += values * valueOf(bucket);
    last = bucket;
  }
  if (count === 0) return null;
  const at = (share: number): number => valueOf(bucketAt(buckets, share * count));
  return { count, mean: sum / count, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: valueOf(last) };
}

/** Returns the bucket that contains the value with a given rank. Ranks range from 1 to the number of values. */
function bucketAt(buckets: ArrayLike<number>, rank: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    seen += buckets[bucket] ?? 0;
    if (seen >= rank) return bucket;
  }
  return buckets.length;
}
