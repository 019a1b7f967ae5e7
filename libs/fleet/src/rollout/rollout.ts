/** A rollout in the store. It consists of an immutable change, and the state that the coordinator writes. */
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

export interface RolloutChange {
  /** Operation ID of the log entry that the rollout will create. */
  readonly id: string;
  /** Log head that the change is based on. The change can be committed only if the head is still the same. */
  readonly base: Head;
  /** Hash of the document at the base revision. */
  readonly from: string;
  readonly patch: JsonArray;
  readonly inverse: JsonArray;
  readonly who: string;
  /** Time of the change, in milliseconds since the Unix epoch. */
  readonly when: number;
  readonly plan: Plan;
  /** Digest of the request, if the client chose the ID. */
  readonly request?: string;
}

/**
 * Rollout phases. In `spreading`, the members of the stage load the change. In `holding`, they are compared with members without the
 * change. `paused` is like `holding`, but the rollout does not advance. In `promoting`, the rollout has succeeded, but the change is not in
 * the log yet. The last two phases are final.
 */
export const phases = ['spreading', 'holding', 'paused', 'promoting', 'promoted', 'taken_back'] as const;

export type Phase = (typeof phases)[number];

/** Number of requests that the change affects, and number of these requests that failed with a 5xx status. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
}

export interface RolloutState {
  readonly id: string;
  readonly phase: Phase;
  /** Index of the stage in the rollout plan, starting at 0. */
  readonly stage: number;
  /** Members that must have the change, with their process IDs. After a restart, a member has the old document. */
  readonly members: Readonly<Record<string, string>>;
  /** Index of the current counting window. A window starts when the members of the stage have applied the change. */
  readonly window: number;
  /**
   * Hold time of the stage so far, in milliseconds. `waited` is the time since the phase began. Coordinators measure these durations with
   * their own clocks.
   */
  readonly held: number;
  readonly waited: number;
  /** Heartbeat counter. It increases with each write, which shows that a coordinator is active. */
  readonly beat: number;
  readonly coordinator: string;
  /** Reason for a pause or rollback. */
  readonly why: string | null;
  /** Time of the decision, in milliseconds since the Unix epoch. */
  readonly decided: number | null;
  /** Revision of the change in the fleet log. `null` until the change is in the log. */
  readonly revision: number | null;
  /** Number of requests in the current counting window, with and without the change. */
  readonly seen: { readonly new: Seen; readonly old: Seen };
}

/** Format version of a change that has stages within the first member. See also `inParts` in `kept-change.ts`. */
const withinFirst = 3;

/** Reports whether a rollout is in progress. */
export function isActive(state: RolloutState | null): state is RolloutState {
  return state !== null && state.phase !== 'promoted' && state.phase !== 'taken_back';
}

/** Serializes a rollout state or change. Members that do not support stages within the first member reject a change with such stages. */
export function encodeRollout(value: RolloutState | RolloutChange): string {
  const format = 'plan' in value && value.plan.stages.some(isWithinFirst) ? withinFirst : 1;
  return JSON.stringify({ format, ...value });
}

/** Parses the output of {@link encodeRollout}. Throws `ERR_FLEET_UNREADABLE` if the text is invalid or was written by a later version. */
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
