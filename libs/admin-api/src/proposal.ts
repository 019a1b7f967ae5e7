/** A proposed configuration change, and the interface of its store. */
import type { Json, JsonObject } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/**
 * State of a proposal. `rolling_out` means that the proposal is approved and active for some of the clients. If the rollout is rolled back,
 * the proposal returns to `open`.
 */
export type ProposalState = 'open' | 'rolling_out' | 'applied' | 'withdrawn';

/** Title and reason that the author gives for a proposal. */
export interface ProposalText {
  readonly title: string;
  readonly reason: string;
}

export interface Proposal extends ProposalText {
  readonly id: number;
  /** Name of the author's token. `null` if authentication is disabled. */
  readonly by: string | null;
  /** Creation time, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly operations: readonly PatchOperation[];
  /** For each patch operation, a digest of the values that the operation depends on; see `evidenceOf`. */
  readonly evidence: readonly string[];
  /** Dry-run report, limited to the parts of the configuration that the author may read. */
  readonly report: Json;
  state: ProposalState;
  /**
   * Name of the token that approved or withdrew the proposal. `closedAt` is the time in milliseconds since the Unix epoch. Both are `null`
   * while the proposal is open.
   */
  closedBy: string | null;
  closedAt: number | null;
  /** Revision that applied the proposal. `null` if the proposal has not been applied. */
  revision: number | null;
  /** Most recent gradual rollout of the proposal, in the format of `GET /rollout`. `null` if there was none. */
  rollout: JsonObject | null;
}

/** Stores proposals across restarts. */
export interface ProposalStore {
  /** Returns the saved proposals, oldest first. */
  read(): Promise<readonly Proposal[]>;
  /** Saves a new proposal, or the new state of an existing one. `all` contains all proposals, oldest first. */
  save(proposal: Proposal, all: readonly Proposal[]): Promise<void>;
}
