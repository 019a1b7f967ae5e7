/** Readings of counters at one point in time, and values computed for the interval between two readings. */
import { floatAt, numberAt } from '@sluice/base';
import { distributionOf, bucketCount } from '@sluice/threads';
import { bytesIn, bytesOut, retries, statusClasses } from '@sluice/http-app';

/** A reading of counters that only increase. */
export interface Counters {
  /** Numbers and buckets, in the same order as in counter blocks. */
  readonly numbers: Float64Array;
  readonly buckets: Float64Array;
}

/** Returns a reading in which all counters are zero. */
export function noCounters(): Counters {
  return { numbers: new Float64Array(retries + 1), buckets: new Float64Array(bucketCount) };
}

/** Names of the values recorded for each step: rates per second, and latencies in milliseconds. */
export const requestFields = [
  ...statusClasses.map((name) => `status_${name}`),
  'bytes_in',
  'bytes_out',
  'p50',
  'p90',
  'p99',
] as const;

/** Returns the values of {@link requestFields} for the interval between two counter readings. */
export function requestValues(before: Counters, now: Counters, seconds: number): number[] {
  const rate = (number: number): number =>
    Math.max(0, floatAt(now.numbers, number) - floatAt(before.numbers, number)) / seconds;
  const buckets = now.buckets.map((count, bucket) => Math.max(0, count - floatAt(before.buckets, bucket)));
  const latency = distributionOf(buckets);
  return [
    ...statusClasses.map((_, number) => rate(number)),
    rate(bytesIn),
    rate(bytesOut),
    latency?.p50 ?? Number.NaN,
    latency?.p90 ?? Number.NaN,
    latency?.p99 ?? Number.NaN,
  ];
}

export function retryRate(before: Counters, now: Counters, seconds: number): number {
  return Math.max(0, floatAt(now.numbers, retries) - floatAt(before.numbers, retries)) / seconds;
}

/** Averages gauges over the samples of a step. */
export class Gauges {
  readonly #sums: number[];
  #samples = 0;

  constructor(fields: number) {
    this.#sums = Array<number>(fields).fill(0);
  }

  add(values: readonly number[]): void {
    for (const [field, value] of values.entries()) this.#sums[field] = numberAt(this.#sums, field) + value;
    this.#samples++;
  }

  /** Returns the mean values since the previous call. */
  take(): number[] {
    const means = this.#sums.map((sum) => (this.#samples === 0 ? Number.NaN : sum / this.#samples));
    this.#sums.fill(0);
    this.#samples = 0;
    return means;
  }
}
