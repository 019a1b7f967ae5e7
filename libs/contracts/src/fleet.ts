import type { Json, JsonObject } from '@sluice/base';
import { token, type MadeModule, type PatchOperation, type Token } from '@sluice/registry';

/** Number of members that must apply a change before the client gets a response. */
export type FleetScope = 'here' | 'majority' | 'all';

/** Revision state on one member. */
export interface FleetReport {
  readonly state: 'applied' | 'rejected' | 'behind';
  /** Configuration path and reason of the rejection. */
  readonly path?: string;
  readonly message?: string;
}

/** Result of waiting for members. */
export interface FleetReach {
  readonly reached: boolean;
  readonly members: Readonly<Record<string, FleetReport>>;
}

/** Effect of an edit on the active document, and the modules that it creates. */
export interface FleetRehearsal {
  readonly operations: readonly PatchOperation[];
  readonly modules: readonly MadeModule[];
}

/** Effect of a change on one member. `unknown` means the member did not respond in time. */
export interface RehearsedMember {
  readonly state: 'accepted' | 'refused' | 'unknown';
  /** Configuration path and reason of the rejection. */
  readonly path?: string;
  readonly message?: string;
}

/** A change to roll out in stages. */
export interface RolloutRequest {
  /** Identifies the request and the resulting change. */
  readonly op: string;
  /** Client name, if clients are authenticated. */
  readonly by: string | null;
  /** Digest of the request, if the client chose the id. */
  readonly request?: string;
  /** Stages in client syntax: `canary:1,10%,50%,all;hold=30s`. */
  readonly plan: string;
  /** Runs the edit on the active document without committing it. */
  readonly tryOut: () => Promise<FleetRehearsal>;
}

/** Fleet from the perspective of this member. */
export interface FleetMembership {
  readonly name: string;
  /** Revision of the active document. */
  readonly revision: number;
  /** True if this member has joined and serves new clients. */
  readonly isReady: boolean;
  /** Returns the revision that a recent operation of this member became, or `null` if none exists. */
  revisionOf(op: string): number | null;
  /**
   * Returns the fleet revision of an operation, or `null`.
   *
   * If `request` is given, rejects with ERR_FLEET_KEY if the operation belongs to another request or to a rolled-back rollout.
   */
  find(op: string, request?: string): Promise<number | null>;
  /** Waits until a revision is active on this member. Resolves to false after `milliseconds`. */
  waitFor(revision: number, milliseconds: number): Promise<boolean>;
  /** Requests a test of a change from members whose modules differ from this member's modules. Returns their results by member name. */
  rehearse(change: FleetRehearsal): Promise<Readonly<Record<string, RehearsedMember>>>;
  /** Starts a rollout and returns its description; `null` if the edit changes nothing. */
  rollOut(request: RolloutRequest): Promise<JsonObject | null>;
  /** Waits at most `milliseconds` until the given members have applied a revision. */
  reach(revision: number, scope: FleetScope, milliseconds: number): Promise<FleetReach>;
}

/** Fleet handle of the server. Empty unless the server is a member. */
export interface FleetHandle {
  membership: FleetMembership | null;
  /** Applies this machine's overlay to the shared document, or `null` if none exists. */
  view: ((document: Json) => Json) | null;
  /** Leaves the fleet while the server keeps running; `null` if not available yet. */
  leave?: (() => Promise<void>) | null;
}

/** The fleet handle of the server, a service of the control thread. */
export const fleetHandle: Token<FleetHandle> = token<FleetHandle>('fleet_seat');
