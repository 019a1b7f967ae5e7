/**
 * Buckets of a distribution, such as of latencies: 16 to each doubling, so that what is read from them is at most 3.2 %
 * off, whatever its size. Finding the bucket of a value takes a few instructions and no logarithm.
 */

/** Buckets of one doubling. */
const perOctave = 16;
/** The first bucket begins at 2 to this power; what is smaller is in it, too. */
const firstOctave = -7;
const octaves = 26;

/** How many buckets there are: with milliseconds they reach from 8 microseconds to 8.7 minutes. */
export const bucketCount: number = octaves * perOctave;

/** A number and its bits: exponent and first digits stand in the upper half. */
const scratch = new Float64Array(1);
const halves = new Int32Array(scratch.buffer);
const upperHalf = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const offset = (1023 + firstOctave) * perOctave;

/** The bucket of a value; the last one has all that are too large. */
export function bucketOf(value: number): number {
  scratch[0] = value;
  const bucket = ((halves[upperHalf] as number) >> 16) - offset;
  return bucket < 0 ? 0 : bucket < bucketCount ? bucket : bucketCount - 1;
}

/** What stands for the values of a bucket: no value of it is further away, in proportion, than need be. */
export function valueOf(bucket: number): number {
  const octave = 2 ** (Math.floor(bucket / perOctave) + firstOctave);
  const low = octave * (1 + (bucket % perOctave) / perOctave);
  const high = low + octave / perOctave;
  return (2 * low * high) / (low + high);
}

/** What is read from the buckets of a distribution. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Reads a distribution; `null` where nothing is counted. */
export function distributionOf(buckets: ArrayLike<number>): Distribution | null {
  let count = 0;
  let sum = 0;
  let last = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const values = buckets[bucket] as number;
    if (values === 0) continue;
    count += values;
    sum += values * valueOf(bucket);
    last = bucket;
  }
  if (count === 0) return null;
  const at = (share: number): number => valueOf(bucketAt(buckets, share * count));
  return { count, mean: sum / count, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: valueOf(last) };
}

/** The bucket in which the value of a rank is, which is above 0 and not above the number of values. */
function bucketAt(buckets: ArrayLike<number>, rank: number): number {
  let bucket = 0;
  for (let seen = buckets[0] as number; seen < rank; seen += buckets[bucket] as number) bucket++;
  return bucket;
}
