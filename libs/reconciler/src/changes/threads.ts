/** The contract between the reconciler and the threads that serve traffic. The server's worker pool implements it. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** A document on its way to the workers: by difference, or whole for one that starts. */
export interface Transition {
  /** Number of the transition; a commit or abort names it. */
  readonly sequence: number;
  /** What makes the new document of the one in force. */
  readonly operations: readonly PatchOperation[];
  /** Build everything again although nothing differs. */
  readonly force: boolean;
  /** How long the control thread took to build it, in milliseconds. */
  readonly took?: number;
}

/** The control thread has a document in force. */
export interface Swap {
  /** Resolves when the others have it, too. */
  readonly swapped: Promise<void>;
}

/** The traffic threads as one: all prepare, then all commit, or all abort. */
export interface TrafficThreads {
  /** Rejects if any thread fails to build or bind; those that did must then be aborted. */
  prepare(transition: Transition): Promise<void>;
  /** Resolves when every thread has swapped. */
  commit(sequence: number): Promise<void>;
  abort(sequence: number): Promise<void>;
  /** Tells which document threads that join have to start with. */
  joined(document: Json): void;
}

/** No threads beside the control thread, which then serves traffic itself. */
export const noThreads: TrafficThreads = {
  prepare: async () => {},
  commit: async () => {},
  abort: async () => {},
  joined: () => {},
};
