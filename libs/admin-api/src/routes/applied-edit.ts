/** Results of edits on servers that may be fleet members. */
import type { JsonObject } from '@sluice/base';
import type { FleetReach, RehearsedMember } from '@sluice/contracts';
import type { ChangeResult } from '@sluice/reconciler';

/** Result of a change in a fleet. */
export interface FleetOutcome {
  readonly revision: number;
  /** Members that have applied the change; `null` if the client doesn't wait for others. */
  readonly reach: FleetReach | null;
  /** Rollout started by the change; `null` for none. */
  readonly rollout: JsonObject | null;
  /** For a dry run: results from other members. */
  readonly rehearsed?: Readonly<Record<string, RehearsedMember>>;
}

/** Result of an edit; `fleet` is `null` if the server is not a member. */
export interface AppliedEdit extends ChangeResult {
  readonly fleet: FleetOutcome | null;
  /** The gradual rollout that the edit has started. */
  readonly steps?: JsonObject | null;
}
