/** What members counted of requests to what a change is about, and whether those that have the change do worse. */
import { isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { chanceOf } from './fisher.ts';

/** So little that nothing comes of it: requests of each side before a stage is passed. */
export const leastRequests = 300;

/**
 * When a difference is one: its chance, and by how much the share is greater; failures are 5xx. Who looks again and again finds by chance
 * what is not there: before the end of a stage it has to be less likely.
 */
const limits = { failures: { chance: 0.001, points: 0.01 }, slow: { chance: 0.0001, points: 0.05 } };
const early = 0.3;

/** What is twice as slow as the slowest twentieth of the others is slow, if it is not quick all the same. */
const slow = { share: 0.95, octaves: 1, least: 5 };

/** Buckets of latencies: two to each doubling, from 2^-7 ms. */
const perOctave = 2;
const firstOctave = -7;
const bucketCount = 26 * perOctave;

/** Nothing counted. */
export const noTraffic: TrafficCounts = { requests: 0, failures: 0, latency: [] };

/** What is wrong with the new, in words; `null` for nothing that could not be chance. */
export function worseOf(now: TrafficCounts, before: TrafficCounts, isEnd: boolean): string | null {
  if (now.requests === 0 || before.requests === 0) return null;
  const factor = isEnd ? 1 : early;
  const failed = { hits: now.failures, of: now.requests };
  const others = { hits: before.failures, of: before.requests };
  if (isWorse(failed, others, limits.failures, factor))
    return `${percent(failed)} of the requests to what changed failed with 5xx, against ${percent(others)} without the change`;
  const limit = slowBucket(before.latency);
  const [late, usual] = [now.latency, before.latency].map((latency) => ({
    hits: sum(latency.slice(limit)),
    of: sum(latency),
  }));
  if (late === undefined || usual === undefined || late.of === 0 || usual.of === 0) return null;
  if (!isWorse(late, usual, limits.slow, factor)) return null;
  return `${percent(late)} of the requests to what changed took longer than ${Math.round(2 ** (limit / perOctave + firstOctave))} ms, against ${percent(usual)} without the change`;
}

/** Both together. */
export function addTraffic(a: TrafficCounts, b: TrafficCounts): TrafficCounts {
  return {
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    latency: combine(a.latency, b.latency, (x, y) => x + y),
  };
}

/** What came since an earlier moment. What is counted as something else now may make numbers fall: that is nothing. */
export function trafficSince(now: TrafficCounts, before: TrafficCounts): TrafficCounts {
  const less = (a: number, b: number): number => Math.max(0, a - b);
  return {
    requests: less(now.requests, before.requests),
    failures: less(now.failures, before.failures),
    latency: combine(now.latency, before.latency, less),
  };
}

/** The bucket of a latency in milliseconds. */
export function bucketOfLatency(milliseconds: number): number {
  const bucket = Math.floor((Math.log2(Math.max(milliseconds, 2 ** firstOctave)) - firstOctave) * perOctave);
  return Math.min(bucket, bucketCount - 1);
}

/** As members tell it: buckets from the first that is not empty. */
export function encodeTraffic({ requests, failures, latency }: TrafficCounts): JsonObject {
  const first = latency.findIndex((count) => count > 0);
  return { requests, failures, latency: first < 0 ? [] : [first, ...latency.slice(first)] };
}

/** Reads {@link encodeTraffic}. */
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

/** The first bucket that is slow. */
function slowBucket(latency: readonly number[]): number {
  const rank = slow.share * sum(latency);
  let seen = 0;
  let at = 0;
  while (at < latency.length && (seen += latency[at] as number) < rank) at++;
  return Math.max(at + 1 + slow.octaves * perOctave, bucketOfLatency(slow.least));
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
