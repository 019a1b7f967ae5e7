/** A roll-out, as the store has it: the change, which stays as it is, and how far it is, which its coordinator writes. */
import { isObject, own, syntaxError, type Json, type JsonArray } from '@sluice/base';
import type { Head } from '../entry.ts';
import { unreadableError } from '../errors.ts';
import type { Plan } from './plan.ts';

/** Keys of the store. */
export const keys = {
  state: 'rollout/state',
  change: (id: string): string => `rollout/change/${id}`,
  part: (index: number): string => `rollout/part/${String(index).padStart(6, '0')}`,
  orders: (id: string): string => `rollout/order/${id}/`,
};

/** What is tried out. */
export interface RolloutChange {
  /** The operation of the entry that it may become. */
  readonly id: string;
  /** Where the log has to end for that. */
  readonly base: Head;
  /** The hash of the document there. */
  readonly from: string;
  readonly patch: JsonArray;
  readonly inverse: JsonArray;
  readonly who: string;
  /** Milliseconds since 1970. */
  readonly when: number;
  readonly plan: Plan;
  /** Digest of the request, if its client has named it. */
  readonly request?: string;
}

/**
 * `spreading`: the members of a stage take it. `holding`: they are compared with the others. `paused`: likewise, and it does not go on.
 * `promoting`: it is decided on, and not in the log yet. The last two are ends.
 */
export const phases = ['spreading', 'holding', 'paused', 'promoting', 'promoted', 'taken_back'] as const;

/** Where a roll-out is. */
export type Phase = (typeof phases)[number];

/** So many requests to what changed, and how many failed with 5xx. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
}

/** How far a roll-out is. */
export interface RolloutState {
  readonly id: string;
  readonly phase: Phase;
  /** Which stage of the plan, from 0 on. */
  readonly stage: number;
  /** The members that are to have it, each with the life that it is in: one that begins again has the old. */
  readonly members: Readonly<Record<string, string>>;
  /** Counted requests are those of a window: it begins when the members of a stage have the change. */
  readonly window: number;
  /** For how long, in milliseconds by the clocks of coordinators: the stage was held, and the phase spreading or the stage was looked at. */
  readonly held: number;
  readonly waited: number;
  /** Grows each time it is written: while it does, someone coordinates. */
  readonly beat: number;
  readonly coordinator: string;
  /** Why it is paused or taken back. */
  readonly why: string | null;
  /** When it was decided on, in milliseconds since 1970. */
  readonly decided: number | null;
  /** What it became in the log. */
  readonly revision: number | null;
  /** What was seen in this window. */
  readonly seen: { readonly new: Seen; readonly old: Seen };
}

/** Whether a roll-out goes on. */
export function isActive(state: RolloutState | null): state is RolloutState {
  return state !== null && state.phase !== 'promoted' && state.phase !== 'taken_back';
}

/** As the store keeps them. */
export function encodeRollout(value: RolloutState | RolloutChange): string {
  return JSON.stringify({ format: 1, ...value });
}

/** Reads {@link encodeRollout}; rejects anything else, and what is of a later version, with ERR_FLEET_UNREADABLE. */
export function decodeState(text: string): RolloutState {
  return read(text, (value) => check(value as Json & RolloutState));
}

/** Reads {@link encodeRollout}. */
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
  if (format === 1) return value;
  throw syntaxError(`unsupported format ${JSON.stringify(format)}, expected 1: this member is too old for it`);
}
