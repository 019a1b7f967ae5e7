/** Request counts with and without a change. */
import { isArray, isObject, numberAt, own, type Json, type JsonObject } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';

/** Number of latency buckets per power of two. The first bucket starts at 2^-7 ms. */
export const perOctave = 2;
const firstOctave = -7;
const bucketCount = 26 * perOctave;

export const noTraffic: TrafficCounts = {
  requests: 0,
  failures: 0,
  upstreamFailures: 0,
  clientErrors: 0,
  redirects: 0,
  cut: 0,
  latency: [],
};

/** Optional properties of encoded counts. Earlier versions don't report them. */
const optional = {
  upstreamFailures: 'upstream',
  clientErrors: 'client_errors',
  redirects: 'redirects',
  cut: 'cut',
} as const;
const keys = Object.keys(optional) as (keyof typeof optional)[];

/** Adds two counts. */
export function addTraffic(a: TrafficCounts, b: TrafficCounts): TrafficCounts {
  return combineTraffic(a, b, (x, y) => x + y);
}

/**
 * Returns the counts since an earlier reading. Counts may decrease if requests are now counted differently. The difference is 0 in that
 * case.
 */
export function trafficSince(now: TrafficCounts, before: TrafficCounts): TrafficCounts {
  return combineTraffic(now, before, (a, b) => Math.max(0, a - b));
}

export function bucketOfLatency(milliseconds: number): number {
  const bucket = Math.floor((Math.log2(Math.max(milliseconds, 2 ** firstOctave)) - firstOctave) * perOctave);
  return Math.min(bucket, bucketCount - 1);
}

/** Returns the lower bound of a latency bucket, in milliseconds. */
export function latencyOf(bucket: number): number {
  return 2 ** (bucket / perOctave + firstOctave);
}

/** Returns the index of the latency bucket that contains a quantile. Returns 0 if there are no latencies. */
export function quantileOf(latency: readonly number[], quantile: number): number {
  const rank = quantile * total(latency);
  let seen = 0;
  let at = 0;
  while (at < latency.length && (seen += numberAt(latency, at)) < rank) at++;
  return Math.min(at, Math.max(0, latency.length - 1));
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Encodes counts for reports. Latency buckets start at the first one that is not empty. */
export function encodeTraffic(counts: TrafficCounts): JsonObject {
  const { requests, failures, latency } = counts;
  const first = latency.findIndex((count) => count > 0);
  return {
    requests,
    failures,
    ...Object.fromEntries(keys.flatMap((key) => (counts[key] === null ? [] : [[optional[key], counts[key]]]))),
    latency: first < 0 ? [] : [first, ...latency.slice(first)],
  };
}

/** Parses the output of {@link encodeTraffic}. */
export function decodeTraffic(value: Json | undefined): TrafficCounts {
  if (value === undefined || !isObject(value)) return noTraffic;
  const numbers = own(value, 'latency');
  const [first = 0, ...counts] = numbers !== undefined && isArray(numbers) ? numbers.map(Number) : [];
  const numberOf = (key: keyof typeof optional): number | null => {
    const number = own(value, optional[key]);
    return number === undefined ? null : Number(number);
  };
  return {
    requests: Number(own(value, 'requests') ?? 0),
    failures: Number(own(value, 'failures') ?? 0),
    upstreamFailures: numberOf('upstreamFailures'),
    clientErrors: numberOf('clientErrors'),
    redirects: numberOf('redirects'),
    cut: numberOf('cut'),
    latency: [...Array<number>(first).fill(0), ...counts],
  };
}

/** Formats the counts of one side for responses. */
export function shownTraffic({
  requests,
  failures,
  upstreamFailures,
  clientErrors,
  redirects,
  cut,
  latency,
}: TrafficCounts): JsonObject {
  const at = (quantile: number): number => Number(latencyOf(quantileOf(latency, quantile) + 0.5).toPrecision(2));
  return {
    requests,
    failures,
    ...(upstreamFailures === null ? {} : { upstream_failures: upstreamFailures }),
    ...(clientErrors === null ? {} : { client_errors: clientErrors }),
    ...(redirects === null ? {} : { redirects }),
    ...(cut === null ? {} : { cut }),
    ...(total(latency) === 0 ? {} : { latency_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99) } }),
  };
}

function combineTraffic(a: TrafficCounts, b: TrafficCounts, by: (x: number, y: number) => number): TrafficCounts {
  const known = (x: number | null, y: number | null): number | null => (x === null || y === null ? null : by(x, y));
  return {
    requests: by(a.requests, b.requests),
    failures: by(a.failures, b.failures),
    upstreamFailures: known(a.upstreamFailures, b.upstreamFailures),
    clientErrors: known(a.clientErrors, b.clientErrors),
    redirects: known(a.redirects, b.redirects),
    cut: known(a.cut, b.cut),
    latency: Array.from({ length: Math.max(a.latency.length, b.latency.length) }, (_, i) =>
      by(a.latency[i] ?? 0, b.latency[i] ?? 0),
    ),
  };
}
