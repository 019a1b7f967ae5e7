/** Differences between two statistics snapshots, for the statistics stream. */
import { floatAt } from '@sluice/base';
import { bucketCount, distributionOf, inFlightNumber, type Distribution } from '@sluice/threads';
import { bytesIn, bytesOut, statusClasses } from '@sluice/http-app';
import type { DocumentRoute } from './document-routes.ts';
import { requestsOf, type CompactBuckets, type Entry, type ServerHost, type Snapshot } from './snapshot.ts';

export interface Part<K> {
  readonly of: K;
  readonly requests: number;
  readonly own: number;
  /** Numbers in the order of counter blocks. For requests in flight, contains the number at the end of the interval. */
  readonly numbers: Float64Array;
  buckets(): ArrayLike<number>;
}

/** All counts for one interval. */
export interface Interval {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Duration of the interval in seconds, on the monotonic clock. */
  readonly seconds: number;
  readonly total: Part<null>;
  readonly servers: readonly Part<string>[];
  readonly routes: readonly Part<DocumentRoute>[];
  readonly hosts: readonly Part<ServerHost>[];
  readonly upstreams: readonly Part<string>[];
}

/** Time when counting started, in milliseconds since 1970 and on the monotonic clock. */
export interface Beginning {
  readonly since: number;
  readonly clock: number;
}

export function wholeOf(now: Snapshot, { since, clock }: Beginning): Interval {
  return intervalOf(now, null, { at: since, clock });
}

/** Returns the differences between two snapshots. Omits idle items, which had no requests in the interval and have none in flight. */
export function difference(now: Snapshot, before: Snapshot): Interval {
  return intervalOf(now, before, before);
}

function intervalOf(now: Snapshot, before: Snapshot | null, { at, clock }: Pick<Snapshot, 'at' | 'clock'>): Interval {
  return {
    from: at,
    seconds: (now.clock - clock) / 1000,
    to: now.at,
    total: partOf(now.total, before?.total),
    servers: partsOf(now.servers, before?.servers),
    routes: partsOf(now.routes, before?.routes),
    hosts: partsOf(now.hosts, before?.hosts),
    upstreams: partsOf(now.upstreams, before?.upstreams),
  };
}

function partsOf<K>(now: ReadonlyMap<string, Entry<K>>, before?: ReadonlyMap<string, Entry<K>>): Part<K>[] {
  const parts: Part<K>[] = [];
  for (const [key, entry] of now) {
    const part = partOf(entry, before?.get(key));
    if (part.requests > 0 || floatAt(part.numbers, inFlightNumber) > 0) parts.push(part);
  }
  return parts.toSorted((a, b) => b.requests - a.requests);
}

/**
 * Returns an item's counts in an interval. A counter may decrease if its requests were previously counted under another item, such as the
 * group of all other hosts. In that case, the difference is 0.
 */
function partOf<K>(now: Entry<K>, before: Entry<K> | undefined): Part<K> {
  const numbers = now.numbers.slice();
  if (before !== undefined) {
    for (let i = 0; i < numbers.length; i++)
      if (i !== inFlightNumber) numbers[i] = Math.max(0, floatAt(numbers, i) - floatAt(before.numbers, i));
    if (requestsOf(numbers) === 0) now.buckets = before.buckets;
  }
  return {
    of: now.of,
    requests: requestsOf(numbers),
    own: Math.max(0, now.own - (before?.own ?? 0)),
    numbers,
    buckets: () => bucketsBetween(now.buckets, before?.buckets),
  };
}

function bucketsBetween(now: CompactBuckets, before: CompactBuckets | undefined): Float64Array {
  const buckets = new Float64Array(bucketCount);
  buckets.set(now.counts, now.first);
  if (before !== undefined)
    for (const [i, count] of before.counts.entries())
      buckets[before.first + i] = Math.max(0, floatAt(buckets, before.first + i) - count);
  return buckets;
}

export interface Counts {
  readonly requests: number;
  readonly in_flight: number;
  readonly status: Readonly<Record<string, number>>;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly latency_ms: Omit<Distribution, 'count'> | null;
}

export function countsOf(part: Part<unknown>): Counts {
  const { numbers } = part;
  const latency = distributionOf(part.buckets());
  return {
    requests: part.requests,
    // Clamp to 0. Threads are read one after another, so the sum may be negative.
    in_flight: Math.max(0, floatAt(numbers, inFlightNumber)),
    status: Object.fromEntries(statusClasses.map((name, i) => [name, floatAt(numbers, i)])),
    bytes_in: floatAt(numbers, bytesIn),
    bytes_out: floatAt(numbers, bytesOut),
    latency_ms:
      latency === null
        ? null
        : {
            mean: rounded(latency.mean),
            p50: rounded(latency.p50),
            p90: rounded(latency.p90),
            p99: rounded(latency.p99),
            max: rounded(latency.max),
          },
  };
}

/** Rounds a number to its significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
