/** A rollout in the store: the immutable change, and the state that its coordinator writes. */
import { isObject, own, syntaxError, type Json, type JsonArray } from '@sluice/base';
import type { Head } from '../entry.ts';
import { unreadableError } from '../errors.ts';
import { isWithinFirst, type Plan } from '@sluice/rollout';

/** Store keys. */
export const keys = {
  state: 'rollout/state',
  change: (id: string): string => `rollout/change/${id}`,
  part: (index: number): string => `rollout/part/${String(index).padStart(6, '0')}`,
  orders: (id: string): string => `rollout/order/${id}/`,
};

/** The change being rolled out. */
export interface RolloutChange {
  /** Operation id of the resulting log entry. */
  readonly id: string;
  /** Log head on which the change is based. Promotion requires the same head. */
  readonly base: Head;
  /** Hash of the document at the base. */
  readonly from: string;
  readonly patch: JsonArray;
  readonly inverse: JsonArray;
  readonly who: string;
  /** Milliseconds since the Unix epoch. */
  readonly when: number;
  readonly plan: Plan;
  /** Digest of the request, if the client chose the id. */
  readonly request?: string;
}

/**
 * `spreading`: members of the stage load the change. `holding`: they are compared with the others. `paused`: like
 * holding, but without advancing.
 * `promoting`: decided, but not in the log yet. The last two phases are final.
 */
export const phases = ['spreading', 'holding', 'paused', 'promoting', 'promoted', 'taken_back'] as const;

export type Phase = (typeof phases)[number];

/** Number of requests affected by the change, and number of these requests that failed with 5xx. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
}

export interface RolloutState {
  readonly id: string;
  readonly phase: Phase;
  /** Index of the stage in the plan, starting at 0. */
  readonly stage: number;
  /** Members that should have the change, with their process IDs. After a restart, a member has the old document. */
  readonly members: Readonly<Record<string, string>>;
  /** Number of the counting window, which starts when the members of the stage have applied the change. */
  readonly window: number;
  /**
   * Durations in milliseconds on the clocks of coordinators: hold time of the stage, time since the phase began, and
   * time since the last check.
   */
  readonly held: number;
  readonly waited: number;
  /** Heartbeat counter. It increases with each write, which shows that a coordinator is active. */
  readonly beat: number;
  readonly coordinator: string;
  /** Reason of a pause or rollback. */
  readonly why: string | null;
  /** Time of the decision, in milliseconds since the Unix epoch. */
  readonly decided: number | null;
  /** Revision in the log. */
  readonly revision: number | null;
  /** Requests in the current window. */
  readonly seen: { readonly new: Seen; readonly old: Seen };
}

/** Format of a change with stages within the first member. See also `inParts` in `kept-change.ts`. */
const withinFirst = 3;

/** Reports whether a rollout is in progress. */
export function isActive(state: RolloutState | null): state is RolloutState {
  return state !== null && state.phase !== 'promoted' && state.phase !== 'taken_back';
}

/** Serializes the state or change of a rollout. Members that do not support stages within the first member reject such a change. */
export function encodeRollout(value: RolloutState | RolloutChange): string {
  const format = 'plan' in value && value.plan.stages.some(isWithinFirst) ? withinFirst : 1;
  return JSON.stringify({ format, ...value });
}

/** Parses the output of {@link encodeRollout}. Throws ERR_FLEET_UNREADABLE if the text is invalid or from a later version. */
export function decodeState(text: string): RolloutState {
  return read(text, (value) => check(value as Json & RolloutState));
}

/** Parses the output of {@link encodeRollout}. */
export function decodeChange(text: string): RolloutChange {
  return read(text, (value) => check(value as Json & RolloutChange));
}

function read<T>(text: string, checked: (value: Json) => T): T {
  try {
    return checked(JSON.parse(text) as Json);
  } catch (error) {
    throw unreadableError('a rollout', error);
  }
}

function check<T>(value: Json & T): T {
  const format = isObject(value) ? own(value, 'format') : undefined;
  if (format === 1 || format === withinFirst) return value;
  throw syntaxError(`unsupported format ${JSON.stringify(format)}, expected 1 or ${withinFirst}; upgrade this member`);
}
