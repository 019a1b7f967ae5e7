/** A proposed change, and its store. */
import type { Json, JsonObject } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** `rolling_out`: approved, and served to a share of the clients. If the rollout is rolled back, the proposal is open again. */
export type ProposalState = 'open' | 'rolling_out' | 'applied' | 'withdrawn';

/** Title and reason that a client gives for its proposal. */
export interface ProposalText {
  readonly title: string;
  readonly reason: string;
}

export interface Proposal extends ProposalText {
  readonly id: number;
  /** Name of the author's token; `null` if authentication is disabled. */
  readonly by: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly operations: readonly PatchOperation[];
  /** For each operation, a digest of the values that it depends on; see `evidenceOf`. */
  readonly evidence: readonly string[];
  /** Dry-run result, limited to the parts that the author may read. */
  readonly report: Json;
  state: ProposalState;
  /**
   * Name of the token that approved or withdrew the proposal, and the time in milliseconds since the Unix epoch; both `null` while the
   * proposal is open.
   */
  closedBy: string | null;
  closedAt: number | null;
  /** Revision that applied the proposal; `null` if the proposal was not applied. */
  revision: number | null;
  /** The last gradual rollout of the proposal, as in `GET /rollout`; `null` for none. */
  rollout: JsonObject | null;
}

/** Keeps proposals over restarts. */
export interface ProposalStore {
  /** Returns the saved proposals, oldest first. */
  read(): Promise<readonly Proposal[]>;
  /** Saves a proposal, or its new state. `all`: all proposals, oldest first. */
  save(proposal: Proposal, all: readonly Proposal[]): Promise<void>;
}
