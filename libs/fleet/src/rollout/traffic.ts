/** Request counts of members, and the comparison between members with and without a change. */
import { isArray, isObject, own, type Json, type JsonObject, numberAt } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { chanceOf } from './fisher.ts';

/** Minimum number of requests on each side to complete a stage. */
export const minRequests = 300;

/**
 * Significance level and minimum difference for failures (5xx) and slow requests.
 *
 * Repeated tests find differences by chance, so the level is stricter before the end of a stage.
 */
const limits = { failures: { chance: 0.001, points: 0.01 }, slow: { chance: 0.0001, points: 0.05 } };
const early = 0.3;

/** A request counts as slow if it takes at least `minMilliseconds` and twice the p95 latency of the other group. */
const slow = { share: 0.95, octaves: 1, minMilliseconds: 5 };

/** Latency buckets: two per power of two, starting at 2^-7 ms. */
const perOctave = 2;
const firstOctave = -7;
const bucketCount = 26 * perOctave;

export const noTraffic: TrafficCounts = { requests: 0, failures: 0, latency: [] };

/** Describes a significant deterioration, or returns `null`. */
export function worseOf(now: TrafficCounts, before: TrafficCounts, isEnd: boolean): string | null {
  if (now.requests === 0 || before.requests === 0) return null;
  const factor = isEnd ? 1 : early;
  const failed = { hits: now.failures, of: now.requests };
  const others = { hits: before.failures, of: before.requests };
  if (isWorse(failed, others, limits.failures, factor))
    return `${percent(failed)} of the requests to the changed parts failed with 5xx, compared to ${percent(others)} without the change`;
  const limit = slowBucket(before.latency);
  const [late, baseline] = [now.latency, before.latency].map((latency) => ({
    hits: sum(latency.slice(limit)),
    of: sum(latency),
  }));
  if (late === undefined || baseline === undefined || late.of === 0 || baseline.of === 0) return null;
  if (!isWorse(late, baseline, limits.slow, factor)) return null;
  return `${percent(late)} of the requests to the changed parts took longer than ${Math.round(2 ** (limit / perOctave + firstOctave))} ms, compared to ${percent(baseline)} without the change`;
}

/** Adds two counts. */
export function addTraffic(a: TrafficCounts, b: TrafficCounts): TrafficCounts {
  return {
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    latency: combine(a.latency, b.latency, (x, y) => x + y),
  };
}

/**
 * Returns the counts since an earlier reading. Numbers can decrease if requests are now counted differently; then the
 * difference is 0.
 */
export function trafficSince(now: TrafficCounts, before: TrafficCounts): TrafficCounts {
  const less = (a: number, b: number): number => Math.max(0, a - b);
  return {
    requests: less(now.requests, before.requests),
    failures: less(now.failures, before.failures),
    latency: combine(now.latency, before.latency, less),
  };
}

export function bucketOfLatency(milliseconds: number): number {
  const bucket = Math.floor((Math.log2(Math.max(milliseconds, 2 ** firstOctave)) - firstOctave) * perOctave);
  return Math.min(bucket, bucketCount - 1);
}

/** Encodes counts for reports, starting at the first non-empty bucket. */
export function encodeTraffic({ requests, failures, latency }: TrafficCounts): JsonObject {
  const first = latency.findIndex((count) => count > 0);
  return { requests, failures, latency: first < 0 ? [] : [first, ...latency.slice(first)] };
}

/** Parses the output of {@link encodeTraffic}. */
export function decodeTraffic(value: Json | undefined): TrafficCounts {
  if (value === undefined || !isObject(value)) return noTraffic;
  const numbers = own(value, 'latency');
  const [first = 0, ...counts] = numbers !== undefined && isArray(numbers) ? numbers.map(Number) : [];
  const latency = [...Array<number>(first).fill(0), ...counts];
  return { requests: Number(own(value, 'requests') ?? 0), failures: Number(own(value, 'failures') ?? 0), latency };
}

function isWorse(
  one: { readonly hits: number; readonly of: number },
  other: { readonly hits: number; readonly of: number },
  limit: { readonly chance: number; readonly points: number },
  factor: number,
): boolean {
  return one.hits / one.of - other.hits / other.of >= limit.points && chanceOf(one, other) < limit.chance * factor;
}

/** Returns the first bucket that counts as slow. */
function slowBucket(latency: readonly number[]): number {
  const rank = slow.share * sum(latency);
  let seen = 0;
  let at = 0;
  while (at < latency.length && (seen += numberAt(latency, at)) < rank) at++;
  return Math.max(at + 1 + slow.octaves * perOctave, bucketOfLatency(slow.minMilliseconds));
}

function combine(a: readonly number[], b: readonly number[], by: (x: number, y: number) => number): readonly number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => by(a[i] ?? 0, b[i] ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function percent({ hits, of }: { readonly hits: number; readonly of: number }): string {
  return `${((100 * hits) / of).toFixed(1)} %`;
}
