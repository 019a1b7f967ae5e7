/** Interface between the reconciler and the traffic threads. The server's worker pool implements it. */
import type { Json } from '@sluice/base';
import type { CanarySettings, PatchOperation } from '@sluice/registry';

/** A canary to start together with a new document. */
export interface CanaryTransition {
  /** JSON Patch from the new document to the canary's document. */
  readonly operations: readonly PatchOperation[];
  readonly settings: CanarySettings;
}

/** A document for the workers, either as a JSON Patch or, for new workers, as an entire document. */
export interface Transition {
  /** Sequence number by which a commit or an abort identifies the transition. */
  readonly sequence: number;
  /** JSON Patch from the active document to the new document. */
  readonly operations: readonly PatchOperation[];
  /** True to rebuild everything, even if there are no differences. */
  readonly force: boolean;
  /** Time that the control thread took to build the configuration, in milliseconds. */
  readonly took?: number;
  /** Canary to start; `null` if no canary runs after the commit. Default: `null`. */
  readonly canary?: CanaryTransition | null;
}

/** Result of activating a document in the control thread. */
export interface Swap {
  /** Resolves when all other threads have activated the document. */
  readonly swapped: Promise<void>;
}

/** All traffic threads. First, all threads prepare a document. Then, either all of them commit it or all of them abort it. */
export interface TrafficThreads {
  /**
   * Prepares a document in all threads. Rejects if any thread fails to build it or to bind an address. In that case, the caller must abort
   * the change in the threads that succeeded.
   */
  prepare(transition: Transition): Promise<void>;
  /** Activates the prepared document. Resolves when every thread has activated it. */
  commit(sequence: number): Promise<void>;
  abort(sequence: number): Promise<void>;
  /** Changes the share of a rollout's canary in all threads, without waiting for changes in progress. */
  share(id: string, share: number): Promise<void>;
  /** Sets the initial document for threads that start later. */
  joined(document: Json): void;
}

/** Implementation for servers without traffic threads, in which the control thread serves requests. */
export const noThreads: TrafficThreads = {
  prepare: async () => {},
  commit: async () => {},
  abort: async () => {},
  share: async () => {},
  joined: () => {},
};
