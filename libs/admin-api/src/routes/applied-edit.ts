/** What came of an edit, of a server that may be a member of a fleet. */
import type { JsonObject } from '@sluice/base';
import type { FleetReach, RehearsedMember } from '@sluice/contracts';
import type { ChangeResult } from '@sluice/reconciler';

/** What came of a change in a fleet. */
export interface FleetOutcome {
  readonly revision: number;
  /** Which members have it; `null` where the client does not wait for others. */
  readonly reach: FleetReach | null;
  /** The rollout that it began; `null` for none. */
  readonly rollout: JsonObject | null;
  /** Of a dry run: what other members say. */
  readonly rehearsed?: Readonly<Record<string, RehearsedMember>>;
}

/** What came of an edit; `fleet` is `null` where the server is in none. */
export interface AppliedEdit extends ChangeResult {
  readonly fleet: FleetOutcome | null;
}
