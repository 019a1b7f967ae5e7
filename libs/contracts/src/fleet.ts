import type { Json, JsonObject } from '@sluice/base';
import { token, type MadeModule, type PatchOperation, type Token } from '@sluice/registry';

/** Fleet members that must apply a change before the client receives a response. */
export type FleetScope = 'here' | 'majority' | 'all';

/** State of a revision on one fleet member. */
export interface FleetReport {
  readonly state: 'applied' | 'rejected' | 'behind';
  /** Configuration path at which the member rejected the change, and the reason. */
  readonly path?: string;
  readonly message?: string;
}

/** Result of waiting for fleet members. */
export interface FleetReach {
  readonly reached: boolean;
  readonly members: Readonly<Record<string, FleetReport>>;
}

/** Effect of an edit on the active document, and the modules that the edit creates. */
export interface FleetRehearsal {
  readonly operations: readonly PatchOperation[];
  readonly modules: readonly MadeModule[];
}

/** Effect of a change on one fleet member. The effect is `unknown` if the member did not respond in time. */
export interface RehearsedMember {
  readonly state: 'accepted' | 'refused' | 'unknown';
  /** Configuration path at which the member rejected the change, and the reason. */
  readonly path?: string;
  readonly message?: string;
}

/** A request to roll out a change in stages. */
export interface RolloutRequest {
  /** Operation ID, which identifies the request and the resulting change. */
  readonly op: string;
  /** Client name. `null` if clients are not authenticated. */
  readonly by: string | null;
  /** Digest of the request, if the client chose the operation ID. */
  readonly request?: string;
  /** Rollout stages in the client's notation: `canary:1,10%,50%,all;hold=30s`. */
  readonly plan: string;
  /** Applies the edit to the active document as a test, without committing it. */
  readonly tryOut: () => Promise<FleetRehearsal>;
}

/** Interface to the fleet from the perspective of this member. */
export interface FleetMembership {
  readonly name: string;
  /** Fleet revision of the active document. */
  readonly revision: number;
  /** True if this member has joined the fleet and serves new clients. */
  readonly isReady: boolean;
  /** Returns the revision that a recent operation on this member created. Returns `null` if there is none. */
  revisionOf(op: string): number | null;
  /**
   * Returns the fleet revision that an operation created, or `null` if there is none.
   *
   * If `request` is given and the operation belongs to a different request or to a rolled-back rollout, rejects with `ERR_FLEET_KEY`.
   */
  find(op: string, request?: string): Promise<number | null>;
  /** Waits until a revision is active on this member. Resolves to false if this takes longer than `milliseconds`. */
  waitFor(revision: number, milliseconds: number): Promise<boolean>;
  /** Requests dry runs from the fleet members that have different modules than this member. Returns the results, keyed by member name. */
  rehearse(change: FleetRehearsal): Promise<Readonly<Record<string, RehearsedMember>>>;
  /** Starts a rollout and returns its description. Returns `null` if the edit changes nothing. */
  rollOut(request: RolloutRequest): Promise<JsonObject | null>;
  /** Waits up to `milliseconds` until the members in `scope` have applied a revision. */
  reach(revision: number, scope: FleetScope, milliseconds: number): Promise<FleetReach>;
}

/** Fleet handle of the server. Its fields are empty unless the server is a fleet member. */
export interface FleetHandle {
  membership: FleetMembership | null;
  /** Applies this machine's overlay to the shared document. `null` if there is no overlay. */
  view: ((document: Json) => Json) | null;
  /** Leaves the fleet while the server keeps running. `null` until this function is available. */
  leave?: (() => Promise<void>) | null;
}

/** Control thread service that provides the server's fleet handle. */
export const fleetHandle: Token<FleetHandle> = token<FleetHandle>('fleet_seat');
