/** Judges a stage of a rollout, over the members of a fleet or the clients of one server. */
import type { TrafficCounts } from '@sluice/contracts';
import { worseOf } from './compare.ts';
import type { Expectation } from './plan.ts';

/** Minimum number of requests on each side to complete a stage. */
export const minRequests = 300;

/** A stage at one time. Durations in milliseconds. */
export interface StageView {
  readonly new: TrafficCounts;
  readonly old: TrafficCounts;
  /** Time that the stage has been observed for, and must be. */
  readonly held: number;
  readonly hold: number;
  /** Time since the stage began, now and at the previous call. */
  readonly waited: number;
  readonly waitedBefore: number;
  /** Interval of comparisons before the end of the stage. */
  readonly interval: number;
  readonly isPaused: boolean;
  /** True if an earlier call compared the end of the stage, so that this level is spent. */
  readonly wasComplete?: boolean;
  /** True if the stage may complete with any number of requests. */
  readonly isPassed: boolean;
  /** Reason why the stage cannot complete now, or `null`. */
  readonly obstacle: string | null;
  /** Differences that the author of the change expects. */
  readonly expected: readonly Expectation[];
  /** Parts of `new`, each with the requests of some clients. Empty if unknown. */
  readonly cells: readonly TrafficCounts[];
}

export interface StageVerdict {
  /** Reason for a rollback, or `null`. */
  readonly worse: string | null;
  /** The side with too few requests, or `null`. */
  readonly lacking: 'new' | 'old' | null;
  readonly isComplete: boolean;
}

/**
 * Maximum probability that a stage of a change without effect is rolled back. Half of it is for the comparison at the end of the stage, the
 * other half for those before: the k-th one gets 1 / (k (k + 1)) of it, which adds up to 1 for any number of comparisons.
 */
const stageLevel = 1e-4;

/** Compares the sides at the end of the stage, and before that once per interval. */
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

function lackingSide({ new: now, old }: Pick<StageView, 'new' | 'old'>): 'new' | 'old' | null {
  if (Math.min(now.requests, old.requests) >= minRequests) return null;
  return now.requests < minRequests ? 'new' : 'old';
}
