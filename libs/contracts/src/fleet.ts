/** The contract between a server and the fleet that it may be a member of, for the admin API and the reconciler. */
import type { Json, JsonObject } from '@sluice/base';
import { token, type MadeModule, type PatchOperation, type Token } from '@sluice/registry';

/** How many members have to have a change before its client hears of it. */
export type FleetScope = 'here' | 'majority' | 'all';

/** What one member has of a revision. */
export interface FleetReport {
  /** `applied`, `rejected`, or `behind`. */
  readonly state: 'applied' | 'rejected' | 'behind';
  /** Where in the document, and why it was rejected. */
  readonly path?: string;
  readonly message?: string;
}

/** What came of waiting for members. */
export interface FleetReach {
  readonly reached: boolean;
  readonly members: Readonly<Record<string, FleetReport>>;
}

/** What an edit does to the document in force, and the modules that it makes. */
export interface FleetRehearsal {
  readonly operations: readonly PatchOperation[];
  readonly modules: readonly MadeModule[];
}

/** What a change would do to one member: `unknown` where it did not say so in time. */
export interface RehearsedMember {
  readonly state: 'accepted' | 'refused' | 'unknown';
  /** Where in the document, and why it is refused. */
  readonly path?: string;
  readonly message?: string;
}

/** A change that is to reach the members one after the other. */
export interface RolloutRequest {
  /** Names the request, and the change that comes of it. */
  readonly op: string;
  /** Who asks, where clients have to say. */
  readonly by: string | null;
  /** Digest of the request, if its client has named it. */
  readonly request?: string;
  /** The stages, as clients write them: `canary:1,10%,50%,all;hold=30s`. */
  readonly plan: string;
  /** Tries the edit on the document in force; what it does to it. */
  readonly tryOut: () => Promise<FleetRehearsal>;
}

/** The fleet, as this member sees it. */
export interface FleetMembership {
  /** Of this member. */
  readonly name: string;
  /** The revision of the document that is in force here. */
  readonly revision: number;
  /** Whether this member has joined, and serves new clients. */
  readonly isReady: boolean;
  /** The revision that an operation became, which this member made lately; `null` if it made none of it. */
  revisionOf(op: string): number | null;
  /**
   * The revision that an operation became in the fleet, or `null`. With the digest of a request it rejects with ERR_FLEET_KEY if the
   * operation is that of another request, or of a rollout that was rolled back.
   */
  find(op: string, request?: string): Promise<number | null>;
  /** Resolves with whether a revision is in force here, within so many milliseconds. */
  waitFor(revision: number, milliseconds: number): Promise<boolean>;
  /** What members say of a change whose modules are others than those of this one, by name. */
  rehearse(change: FleetRehearsal): Promise<Readonly<Record<string, RehearsedMember>>>;
  /** Begins a roll-out, and gives what is to be told of it; `null` where the edit does nothing. */
  rollOut(request: RolloutRequest): Promise<JsonObject | null>;
  /** Waits until members have a revision, for so many milliseconds at most. */
  reach(revision: number, scope: FleetScope, milliseconds: number): Promise<FleetReach>;
}

/** The place of a server in a fleet. It is empty while the server is in none. */
export interface FleetSeat {
  membership: FleetMembership | null;
  /** What this machine makes of the document, which is the same for all; `null` for nothing. */
  view: ((document: Json) => Json) | null;
  /** Leaves the fleet while the server runs; `null` before it can be asked to. */
  leave?: (() => Promise<void>) | null;
}

/** The seat of the server: a service of the control thread. */
export const fleetSeat: Token<FleetSeat> = token<FleetSeat>('fleet_seat');
