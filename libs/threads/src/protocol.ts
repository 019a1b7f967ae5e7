/** What the control thread and a traffic thread say to each other about configurations. Topics of their channel. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** Topics of the protocol; those of modules never begin with `sluice/`. */
export const protocol = {
  /** Question {@link PrepareRequest}: build and bind a configuration; the response is nothing, or the error. */
  prepare: 'sluice/prepare',
  /** Question, a sequence number: swap what was prepared. */
  commit: 'sluice/commit',
  /** Question, a sequence number: release what was prepared, or nothing if that failed. */
  abort: 'sluice/abort',
  /** Question: stop serving when the requests in flight are done. */
  stop: 'sluice/stop',
  /** Question, responded to at once by a thread whose event loop turns. */
  ping: 'sluice/ping',
} as const;

/** A configuration to prepare: by difference to the one in force there, or whole for a thread that has none. */
export interface PrepareRequest {
  readonly sequence: number;
  readonly force: boolean;
  readonly change: { readonly operations: readonly PatchOperation[] } | { readonly document: Json };
}
