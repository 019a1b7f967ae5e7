/** Results of configuration edits, including edits on fleet members. */
import type { JsonObject } from '@sluice/base';
import type { FleetReach, RehearsedMember } from '@sluice/contracts';
import type { ChangeResult } from '@sluice/reconciler';

/** Fleet-specific result of a configuration change. */
export interface FleetOutcome {
  readonly revision: number;
  /** Fleet members that have applied the change. `null` if the client doesn't wait for other members. */
  readonly reach: FleetReach | null;
  /** Rollout that the change started. `null` if there is none. */
  readonly rollout: JsonObject | null;
  /** Dry-run results from other fleet members. */
  readonly rehearsed?: Readonly<Record<string, RehearsedMember>>;
}

/** Result of an edit. `fleet` is `null` if the server is not a fleet member. */
export interface AppliedEdit extends ChangeResult {
  readonly fleet: FleetOutcome | null;
  /** Gradual rollout that the edit started. */
  readonly steps?: JsonObject | null;
}
