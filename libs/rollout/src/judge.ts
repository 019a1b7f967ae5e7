/** Judges a stage of a rollout across the members of a fleet or the clients of one server. */
import type { TrafficCounts } from '@sluice/contracts';
import { worseOf } from './compare.ts';
import type { Expectation } from './plan.ts';

/** Minimum number of requests required on each side (with and without the change) to complete a stage. */
const minRequests = 300;

/** State of a stage at one point in time. Durations are in milliseconds. */
export interface StageView {
  readonly new: TrafficCounts;
  readonly old: TrafficCounts;
  /** Time for which the stage has been observed, and time for which it must be observed. */
  readonly held: number;
  readonly hold: number;
  /** Time since the stage began, at this call and at the previous call. */
  readonly waited: number;
  readonly waitedBefore: number;
  /** Interval between comparisons before the end of the stage. */
  readonly interval: number;
  readonly isPaused: boolean;
  /** True if an earlier call already performed the comparison at the end of the stage, so its significance level is used up. */
  readonly wasComplete?: boolean;
  /** True if the stage may complete regardless of the number of requests. */
  readonly isPassed: boolean;
  /** Reason why the stage can't complete now, or `null`. */
  readonly obstacle: string | null;
  /** Differences that the author of the change expects. */
  readonly expected: readonly Expectation[];
  /** Requests in `new`, split into groups of clients. Empty if unknown. */
  readonly cells: readonly TrafficCounts[];
}

export interface StageVerdict {
  /** Reason for a rollback, or `null` if there is none. */
  readonly worse: string | null;
  /** Side with too few requests, or `null`. */
  readonly lacking: 'new' | 'old' | null;
  readonly isComplete: boolean;
}

/**
 * Maximum probability of rolling back a stage of a change that has no effect. The comparison at the end of the stage uses half of it.
 * Earlier comparisons share the other half: the k-th comparison uses 1 / (k (k + 1)) of that half. These fractions add up to at most 1 for
 * any number of comparisons.
 */
const stageLevel = 1e-4;

/** Compares requests with and without the change: once per interval during a stage, and at its end. */
export function judge(stage: StageView): StageVerdict {
  const { held, hold, waited, waitedBefore, interval, isPaused, isPassed, obstacle, expected, cells } = stage;
  const { wasComplete = false } = stage;
  const lacking = isPassed ? null : lackingSide(stage);
  const isEnd = held >= hold && lacking === null && obstacle === null && !isPaused;
  const look = Math.floor(waited / interval);
  const isDue = look > Math.floor(waitedBefore / interval);
  const isFirstEnd = isEnd && !wasComplete;
  const level = (stageLevel / 2) * (isFirstEnd ? 1 : 1 / (look * (look + 1)));
  const worse = isFirstEnd || isDue ? worseOf(stage.new, stage.old, { level, expected, cells }) : null;
  return { worse, lacking, isComplete: isEnd && worse === null };
}

/** Returns the reason why a stage waits for requests. `where` describes the requests, such as `with the change`. */
export function tooFewRequests(stage: string, requests: number, where: string): string {
  return `too few requests to evaluate stage ${stage}: changed routes received ${requests} of ${minRequests} required requests ${where}`;
}

function lackingSide({ new: now, old }: Pick<StageView, 'new' | 'old'>): 'new' | 'old' | null {
  if (Math.min(now.requests, old.requests) >= minRequests) return null;
  return now.requests < minRequests ? 'new' : 'old';
}
