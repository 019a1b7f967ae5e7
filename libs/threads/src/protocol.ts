/** Protocol between the control thread and a traffic thread for configuration changes. Defines the topics of their channel. */
import type { CanaryTransition } from '@sluice/reconciler';

/** Topics of the protocol. Module topics must not begin with `sluice/`. */
export const protocol = {
  /** Request with a {@link PrepareRequest}: builds and binds a configuration. The response is empty or an error. */
  prepare: 'sluice/prepare',
  /** Request with a sequence number: swaps in the prepared configuration. */
  commit: 'sluice/commit',
  /** Request with a sequence number: releases the prepared configuration, if there is one. */
  abort: 'sluice/abort',
  /** Request with a {@link ShareRequest}: changes a canary's share of traffic. Does not wait for a change in progress. */
  share: 'sluice/share',
  /** Request to stop serving after all in-flight requests have completed. */
  stop: 'sluice/stop',
  /** Request that checks the health of the event loop. A responsive thread replies immediately. */
  ping: 'sluice/ping',
} as const;

/** A configuration to prepare: a patch to the thread's active configuration, or the whole document for a new thread. */
export interface PrepareRequest {
  readonly sequence: number;
  readonly force: boolean;
  /** Patch operations or a document, as JSON text. Parsed objects take less memory and time than objects copied by structured clone. */
  readonly change: { readonly operations: string } | { readonly document: string };
  /** Canary to start at commit, or `null` for none. */
  readonly canary: CanaryTransition | null;
}

export interface ShareRequest {
  /** ID of the rollout that the canary belongs to. */
  readonly id: string;
  readonly share: number;
}
