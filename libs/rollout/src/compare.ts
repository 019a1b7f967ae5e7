/** Decides whether requests with a change do worse than requests without it. */
import { numberAt } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { chanceOf, type Share } from './fisher.ts';
import { bucketOfLatency, latencyOf, perOctave, quantileOf, total } from './traffic.ts';

/** Significance level and minimum difference of the shares. */
interface Limit {
  readonly chance: number;
  readonly points: number;
}

const failureLimit: Limit = { chance: 0.001, points: 0.01 };

/**
 * Requests are slow if they take at least `minMilliseconds` and twice the quantile of the other side. A slowdown of all requests shows at
 * the median, one of few requests at the upper quantiles.
 */
const slow = {
  octaves: 1,
  minMilliseconds: 5,
  limits: [
    { quantile: 0.95, chance: 0.0001, points: 0.05 },
    { quantile: 0.5, chance: 0.0001, points: 0.2 },
    { quantile: 0.99, chance: 0.0001, points: 0.02 },
  ],
};

/** Describes a significant regression; `null` if there is none. `strictness` scales the significance level; see {@link judge}. */
export function worseOf(now: TrafficCounts, before: TrafficCounts, strictness: number): string | null {
  if (now.requests === 0 || before.requests === 0) return null;
  return moreFailures(now, before, strictness) ?? slower(now, before, strictness);
}

function moreFailures(now: TrafficCounts, before: TrafficCounts, strictness: number): string | null {
  const kinds: (readonly [ending: string, of: (counts: TrafficCounts) => number])[] = [
    ['with 5xx', ({ failures }) => failures],
  ];
  if (now.upstreamFailures !== null && before.upstreamFailures !== null)
    kinds.unshift(
      ['due to an upstream', ({ upstreamFailures }) => upstreamFailures ?? 0],
      ['with 5xx of this server', ({ failures, upstreamFailures }) => failures - (upstreamFailures ?? 0)],
    );
  for (const [ending, of] of kinds) {
    const failed = { hits: of(now), of: now.requests };
    const others = { hits: of(before), of: before.requests };
    if (isWorse(failed, others, failureLimit, strictness))
      return `${percent(failed)} of the requests to the changed parts failed ${ending}, compared to ${percent(others)} without the change`;
  }
  return null;
}

function slower(now: TrafficCounts, before: TrafficCounts, strictness: number): string | null {
  if (total(now.latency) === 0 || total(before.latency) === 0) return null;
  for (const limit of slow.limits) {
    const at = quantileOf(before.latency, limit.quantile) + 1 + slow.octaves * perOctave;
    const bucket = Math.max(at, bucketOfLatency(slow.minMilliseconds));
    const late = shareAbove(now.latency, bucket);
    const others = shareAbove(before.latency, bucket);
    if (isWorse(late, others, limit, strictness))
      return `${percent(late)} of the requests to the changed parts took longer than ${Math.round(latencyOf(bucket))} ms, compared to ${percent(others)} without the change`;
  }
  return null;
}

function shareAbove(latency: readonly number[], bucket: number): Share {
  let hits = 0;
  for (let i = bucket; i < latency.length; i++) hits += numberAt(latency, i);
  return { hits, of: total(latency) };
}

function isWorse(one: Share, other: Share, { points, chance }: Limit, strictness: number): boolean {
  return one.hits / one.of - other.hits / other.of >= points && chanceOf(one, other) < chance * strictness;
}

function percent({ hits, of }: Share): string {
  return `${((100 * hits) / of).toFixed(1)} %`;
}
