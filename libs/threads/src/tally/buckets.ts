/**
 * Histogram buckets, for example for latencies: 16 buckets per power of two, so that quantiles have a relative error of at most 3.2 %.
 *
 * Finding the bucket for a value takes a few instructions and no logarithm.
 */
import { wordAt } from '@sluice/base';

/** Buckets per power of two. */
const perOctave = 16;
/** Exponent of the lower bound of the first bucket, which also contains smaller values. */
const firstOctave = -7;
const octaves = 26;

/** Number of buckets. In milliseconds, the buckets range from 8 microseconds to 8.7 minutes. */
export const bucketCount: number = octaves * perOctave;

/** A number and its bits: the upper half contains the exponent and the first digits. */
const scratch = new Float64Array(1);
const halves = new Int32Array(scratch.buffer);
const upperHalf = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const offset = (1023 + firstOctave) * perOctave;

/** Returns the bucket of a value. The last bucket contains all larger values. */
export function bucketOf(value: number): number {
  scratch[0] = value;
  const bucket = (wordAt(halves, upperHalf) >> 16) - offset;
  return bucket < 0 ? 0 : bucket < bucketCount ? bucket : bucketCount - 1;
}

/** Returns the representative value of a bucket, which minimizes the maximum relative error. */
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

/** Computes the statistics of a distribution; `null` if the distribution is empty. */
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

/** Returns the bucket that contains the value with a rank, from 1 to the number of values. */
function bucketAt(buckets: ArrayLike<number>, rank: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    seen += buckets[bucket] ?? 0;
    if (seen >= rank) return bucket;
  }
  return buckets.length;
}
