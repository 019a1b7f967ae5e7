/** Messages between the control thread and a traffic thread about configuration changes. Topics of their channel. */
import type { CanaryTransition } from '@sluice/reconciler';

/** Topics of the protocol. Topics of modules must not begin with `sluice/`. */
export const protocol = {
  /** Question {@link PrepareRequest}: builds and binds a configuration. The response is empty or an error. */
  prepare: 'sluice/prepare',
  /** Question with a sequence number: swaps in the prepared configuration. */
  commit: 'sluice/commit',
  /** Question with a sequence number: releases the prepared configuration, if any. */
  abort: 'sluice/abort',
  /** Question {@link ShareRequest}: changes the share of a canary, without waiting for a change in progress. */
  share: 'sluice/share',
  /** Question: stops serving after the requests in flight have completed. */
  stop: 'sluice/stop',
  /** Question: answered immediately if the event loop is responsive. */
  ping: 'sluice/ping',
} as const;

/** A configuration to prepare: the difference from the thread's active configuration, or the whole document for a new thread. */
export interface PrepareRequest {
  readonly sequence: number;
  readonly force: boolean;
  /** JSON texts of patch operations or of a document, because parsed objects take less memory and time than copies made by structured clone. */
  readonly change: { readonly operations: string } | { readonly document: string };
  /** The canary to start with the commit; `null` for none. */
  readonly canary: CanaryTransition | null;
}

export interface ShareRequest {
  /** The rollout of the canary. */
  readonly id: string;
  readonly share: number;
}
