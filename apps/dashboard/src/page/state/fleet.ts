/** The fleet of the server, as returned by `GET /fleet`. */
import { computed } from '@preact/signals';
import { who } from '../api/session.ts';
import { valueAt } from '../base/json.ts';
import { inForce } from './configuration.ts';

/** Faults of a member. */
interface Faults {
  readonly rejected?: { readonly rev: number; readonly message: string };
  readonly forked?: { readonly reason: string };
  readonly store_away?: { readonly since: string; readonly reason: string };
}

/** A member, as seen by other members. */
export interface FleetMember extends Faults {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly version?: string;
  /** Current revision of the member. */
  readonly applied?: number;
  readonly ready?: boolean;
  readonly drained?: boolean;
}

/** Requests served by members of a rollout. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
}

export interface FleetRollout {
  readonly state: string;
  readonly why?: string;
  readonly stage: number;
  readonly stages?: readonly string[];
  readonly held_seconds: number;
  readonly hold_seconds?: number;
  readonly members: readonly string[];
  readonly seen?: { readonly new: Seen; readonly old: Seen };
  readonly by?: string;
}

export interface Fleet extends Faults {
  readonly cluster: string;
  /** The member that responded. */
  readonly member: string;
  readonly revision: number;
  /** `null` while the store is unavailable. */
  readonly members: readonly FleetMember[] | null;
  readonly rollout?: FleetRollout;
}

/** True if the server is a fleet member. */
export const inFleet = computed(
  () => who.value?.fleet === true || valueAt(inForce.value.value, ['admin', 'fleet', 'cluster']) !== undefined,
);

export function isInProgress({ state }: FleetRollout): boolean {
  return state !== 'promoted' && state !== 'taken_back';
}
