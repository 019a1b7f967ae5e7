/** The server's fleet, as returned by `GET /fleet`. */
import { computed } from '@preact/signals';
import { who } from '../api/session.ts';
import { valueAt } from '../base/json.ts';
import { inForce } from './configuration.ts';

/** Faults that a fleet member reports about itself. */
interface Faults {
  readonly rejected?: { readonly rev: number; readonly message: string };
  readonly forked?: { readonly reason: string };
  readonly store_away?: { readonly since: string; readonly reason: string };
}

export interface FleetMember extends Faults {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly version?: string;
  /** Configuration revision that the member has applied. */
  readonly applied?: number;
  readonly ready?: boolean;
  readonly drained?: boolean;
}

/** Request statistics for one group of a rollout: either requests handled with the change, or requests handled without it. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
  readonly upstream_failures?: number;
  readonly latency_ms?: { readonly p50: number; readonly p95: number; readonly p99: number };
}

/** A rollout over the members of a fleet, or in steps on a single server. */
export interface Rollout {
  readonly state: string;
  readonly why?: string;
  readonly stage: number;
  readonly stages?: readonly string[];
  readonly held_seconds: number;
  readonly hold_seconds?: number;
  readonly members?: readonly string[];
  readonly split_by?: string;
  readonly seen?: { readonly new: Seen; readonly old: Seen };
  readonly by?: string;
}

export interface Fleet extends Faults {
  readonly cluster: string;
  /** Name of the fleet member that responded. */
  readonly member: string;
  readonly revision: number;
  /** Members of the fleet, or `null` while the store is unavailable. */
  readonly members: readonly FleetMember[] | null;
  readonly rollout?: Rollout;
}

/** True if the server is a fleet member. */
export const inFleet = computed(
  () => who.value?.fleet === true || valueAt(inForce.value.value, ['admin', 'fleet', 'cluster']) !== undefined,
);

export function isInProgress({ state }: Pick<Rollout, 'state'>): boolean {
  return state !== 'promoted' && state !== 'taken_back' && state !== 'none';
}
