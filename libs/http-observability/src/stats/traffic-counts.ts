/** Converts request counters to the form that rollouts compare. */
import { floatAt, numberAt } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { statusClasses, upstreamFailures } from '@sluice/http-app';
import { bucketCount, type TallyReading } from '@sluice/threads';
import { requestsOf } from './snapshot.ts';

const [cut, redirects, clientErrors, failures] = (['cut', '3xx', '4xx', '5xx'] as const).map((each) =>
  statusClasses.indexOf(each),
) as [number, number, number, number];

/**
 * Number of counter block buckets per {@link TrafficCounts} bucket. Blocks have 16 buckets per doubling of the latency, and traffic counts
 * have two.
 */
const perBucket = 8;

/** Returns the sums of the counters in all blocks. */
export function trafficOf(readings: readonly TallyReading[]): TrafficCounts {
  const sum = { requests: 0, failures: 0, upstreamFailures: 0, clientErrors: 0, redirects: 0, cut: 0 };
  const buckets = new Float64Array(bucketCount);
  for (const reading of readings) {
    sum.requests += requestsOf(reading.numbers);
    sum.failures += floatAt(reading.numbers, failures);
    sum.clientErrors += floatAt(reading.numbers, clientErrors);
    sum.redirects += floatAt(reading.numbers, redirects);
    sum.cut += floatAt(reading.numbers, cut);
    sum.upstreamFailures += floatAt(reading.numbers, upstreamFailures);
    reading.addBuckets(buckets);
  }
  const latency = Array<number>(bucketCount / perBucket).fill(0);
  for (const [i, count] of buckets.entries()) {
    const at = Math.floor(i / perBucket);
    latency[at] = numberAt(latency, at) + count;
  }
  return { ...sum, latency };
}
