/** The fleet that the server is in, as `GET /fleet` has it. */
import { computed } from '@preact/signals';
import { who } from '../api/session.ts';
import { valueAt } from '../base/json.ts';
import { inForce } from './configuration.ts';

/** What is wrong with a member. */
interface Faults {
  readonly rejected?: { readonly rev: number; readonly message: string };
  readonly forked?: { readonly reason: string };
  readonly store_away?: { readonly since: string; readonly reason: string };
}

/** A member, as the others see it. */
export interface FleetMember extends Faults {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly version?: string;
  /** The revision that it has in force. */
  readonly applied?: number;
  readonly ready?: boolean;
  readonly drained?: boolean;
}

/** What members of a roll-out have served. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
}

/** A roll-out. */
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

/** The fleet. */
export interface Fleet extends Faults {
  readonly cluster: string;
  /** The one that was asked. */
  readonly member: string;
  readonly revision: number;
  /** `null` while the store is away. */
  readonly members: readonly FleetMember[] | null;
  readonly rollout?: FleetRollout;
}

/** Whether there is one. */
export const inFleet = computed(
  () => who.value?.fleet === true || valueAt(inForce.value.value, ['admin', 'fleet', 'cluster']) !== undefined,
);

/** Whether a roll-out goes on, so that something can be done about it. */
export function isUnderWay({ state }: FleetRollout): boolean {
  return state !== 'promoted' && state !== 'taken_back';
}
