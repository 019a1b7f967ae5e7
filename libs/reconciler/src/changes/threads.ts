/** The interface between the reconciler and the threads that serve traffic. The server's worker pool implements it. */
import type { Json } from '@sluice/base';
import type { CanarySettings, PatchOperation } from '@sluice/registry';

/** A canary to start beside the new document. */
export interface CanaryTransition {
  /** JSON Patch from the new document to the document of the canary. */
  readonly operations: readonly PatchOperation[];
  readonly settings: CanarySettings;
}

/** A document for the workers: a difference, or the whole document for new workers. */
export interface Transition {
  /** Sequence number, which a commit or abort refers to. */
  readonly sequence: number;
  /** JSON Patch from the active to the new document. */
  readonly operations: readonly PatchOperation[];
  /** Rebuild everything, even without differences. */
  readonly force: boolean;
  /** Build time in the control thread, in milliseconds. */
  readonly took?: number;
  /** `null` means no canary runs after the commit. Default: `null`. */
  readonly canary?: CanaryTransition | null;
}

/** The control thread has activated a document. */
export interface Swap {
  /** Resolves when all other threads have activated the change. */
  readonly swapped: Promise<void>;
}

/** All traffic threads. First, all threads prepare; then all threads commit or all abort. */
export interface TrafficThreads {
  /** Rejects if any thread fails to build or bind. The caller must then abort the threads that succeeded. */
  prepare(transition: Transition): Promise<void>;
  /** Resolves when every thread has swapped. */
  commit(sequence: number): Promise<void>;
  abort(sequence: number): Promise<void>;
  /** Changes the share of a rollout's canary in all threads, ahead of changes in progress. */
  share(id: string, share: number): Promise<void>;
  /** Sets the initial document for threads that join later. */
  joined(document: Json): void;
}

/** For servers without traffic threads, where the control thread serves requests. */
export const noThreads: TrafficThreads = {
  prepare: async () => {},
  commit: async () => {},
  abort: async () => {},
  share: async () => {},
  joined: () => {},
};
