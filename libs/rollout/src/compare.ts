/** Determines whether requests with a change perform worse than requests without it. */
import { numberAt } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { chanceOf, type Share } from './fisher.ts';
import type { Expectation } from './plan.ts';
import { bucketOfLatency, latencyOf, perOctave, quantileOf, total } from './traffic.ts';

/** A type of request, such as errors, whose share should not increase because of a change. */
interface Measure {
  /** End of the sentence that starts with "N % of the requests to changed routes". */
  readonly ending: string;
  /** Returns the number of requests of this type; `null` if the counts don't include it. */
  readonly of: (counts: TrafficCounts) => number | null;
  /** Minimum difference between the shares. A smaller difference may be significant, but is not worth a rollback. */
  readonly points: number;
  readonly expectation: Expectation | null;
}

const measures: readonly Measure[] = [
  {
    ending: 'failed due to an upstream',
    of: ({ upstreamFailures }) => upstreamFailures,
    points: 0.005,
    expectation: '5xx',
  },
  {
    ending: 'failed with 5xx responses from this server',
    of: ({ failures, upstreamFailures }) => (upstreamFailures === null ? null : failures - upstreamFailures),
    points: 0.005,
    expectation: '5xx',
  },
  { ending: 'failed with 5xx', of: ({ failures }) => failures, points: 0.005, expectation: '5xx' },
  { ending: 'got no response', of: ({ cut }) => cut, points: 0.005, expectation: null },
  { ending: 'were rejected with 4xx', of: ({ clientErrors }) => clientErrors, points: 0.01, expectation: '4xx' },
  { ending: 'were redirected (3xx)', of: ({ redirects }) => redirects, points: 0.02, expectation: '3xx' },
];

/**
 * A request is slow if it takes at least `minMilliseconds`, and at least twice the other side's quantile. A slowdown of all requests
 * affects the median. A slowdown of few requests affects only the upper quantiles.
 */
const slow = {
  octaves: 1,
  minMilliseconds: 5,
  limits: [
    { quantile: 0.95, points: 0.05 },
    { quantile: 0.5, points: 0.2 },
    { quantile: 0.99, points: 0.02 },
  ],
};

/** Number of statistical tests per comparison. They share the significance level. */
const tests = measures.length + slow.limits.length;

/** Parameters of a comparison. */
export interface Comparison {
  /** Maximum probability that any test in this comparison finds a difference by chance. */
  readonly level: number;
  /** Differences that the author of the change expects. */
  readonly expected: readonly Expectation[];
  /** Requests with the change, split into groups of clients. Empty if unknown. */
  readonly cells: readonly TrafficCounts[];
}

/** Returns the matching requests as a share of all requests; `null` if unknown. */
type Count = (counts: TrafficCounts) => Share | null;

/**
 * The worst client group is ignored only if at least this many groups have requests. A single client may send many of the failing requests,
 * and all of its requests are on the same side of the comparison.
 */
const minCells = 3;

/** Returns a description of a significant regression, or `null` if there is none. */
export function worseOf(now: TrafficCounts, before: TrafficCounts, comparison: Comparison): string | null {
  if (now.requests === 0 || before.requests === 0) return null;
  const sides = { now, before, cells: comparison.cells.filter(({ requests }) => requests > 0) };
  const level = comparison.level / tests;
  for (const { ending, of, points, expectation } of measures) {
    if (expectation !== null && comparison.expected.includes(expectation)) continue;
    const found = worse(sides, shareOf(of), points, level);
    if (found !== null) return describe(found, ending);
  }
  return comparison.expected.includes('latency') ? null : slower(sides, level);
}

interface Sides {
  readonly now: TrafficCounts;
  readonly before: TrafficCounts;
  readonly cells: readonly TrafficCounts[];
}

function slower(sides: Sides, level: number): string | null {
  const { latency } = sides.before;
  if (total(latency) === 0) return null;
  for (const { quantile, points } of slow.limits) {
    const at = quantileOf(latency, quantile) + 1 + slow.octaves * perOctave;
    const bucket = Math.max(at, bucketOfLatency(slow.minMilliseconds));
    const found = worse(sides, (counts) => shareAbove(counts.latency, bucket), points, level);
    if (found !== null) return describe(found, `took longer than ${Math.round(latencyOf(bucket))} ms`);
  }
  return null;
}

function describe([share, others]: readonly [Share, Share], ending: string): string {
  return `${percent(share)} of the requests to changed routes ${ending}, compared to ${percent(others)} without the change`;
}

/**
 * Returns both shares if the first one is significantly larger. The difference must be significant even without the client group that has
 * the most hits.
 */
function worse({ now, before, cells }: Sides, of: Count, points: number, level: number): [Share, Share] | null {
  const [share, others] = [of(now), of(before)];
  if (share === null || others === null || !isWorse(share, others, points, level)) return null;
  if (cells.length < minCells) return [share, others];
  const worst = cells
    .map(of)
    .reduce<Share>((most, each) => (each !== null && each.hits > most.hits ? each : most), none);
  const rest = { hits: share.hits - worst.hits, of: share.of - worst.of };
  return isWorse(rest, others, points, level) ? [share, others] : null;
}

const none: Share = { hits: 0, of: 0 };

function shareOf(of: Measure['of']): Count {
  return (counts) => {
    const hits = of(counts);
    return hits === null ? null : { hits, of: counts.requests };
  };
}

function shareAbove(latency: readonly number[], bucket: number): Share {
  let hits = 0;
  for (let i = bucket; i < latency.length; i++) hits += numberAt(latency, i);
  return { hits, of: total(latency) };
}

function isWorse(one: Share, other: Share, points: number, level: number): boolean {
  if (one.of === 0 || other.of === 0) return false;
  return one.hits / one.of - other.hits / other.of >= points && chanceOf(one, other) < level;
}

function percent({ hits, of }: Share): string {
  return `${((100 * hits) / of).toFixed(1)} %`;
}
