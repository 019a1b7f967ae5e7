/** Proposed changes, which await another client's approval. */
import { calls, configCall, type Call } from '../api/calls.ts';
import { lacking } from '../api/session.ts';
import { changes, root } from './configuration.ts';

export type ProposalState = 'open' | 'rolling_out' | 'applied' | 'withdrawn';

/** A proposal without its dry run report. */
export interface ProposalHead {
  readonly id: number;
  readonly title: string;
  readonly state: ProposalState;
  /** Name of the author's token, or `null` if authentication is disabled. */
  readonly by: string | null;
  readonly at: string;
  /** Name of the token that approved or withdrew the proposal. */
  readonly closed_by?: string;
  /** Number of edits. */
  readonly changes: number;
}

/** Title and reason that the author adds to a proposal. */
export interface ProposalText {
  readonly title: string;
  readonly reason: string;
}

/** Returns the permission that the token lacks for proposing changes, or `null` if it has all of them. */
export function lackToPropose(): string | null {
  return lacking(calls.propose()) ?? lacking(calls.readAll());
}

/** Returns the permission that the token lacks for editing the draft. Returns `null` if the token may apply or propose changes. */
export function lackToEdit(): string | null {
  const lack = lacking(configCall('patch', root.value));
  return lack === null || lackToPropose() === null ? null : lack;
}

/** Returns the call that proposes the draft, or only tests it. If `replays` is true, the server also compares real responses. */
export function proposeCall({ title, reason }: ProposalText, dryRun = false, replays = false): Call {
  const query = { ...(dryRun ? { dry_run: true } : {}), ...(replays ? { shadow: true } : {}) };
  return calls.propose({}, { query, json: { title, reason, patch: changes.value } });
}
