/** The store in which the reconciler saves the active document. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { History, HistoryEntry } from './history.ts';

/** Persists the document. */
export interface ConfigStore {
  /** Store of the history; `null` if it is not persistent. */
  readonly history: HistoryStore | null;
  /**
   * Saves a change. Resolves when a crash can no longer lose the change. Calls are in order, but do not wait for previous calls.
   *
   * `operations` is the JSON Patch from the previously saved document.
   */
  save(document: Json, operations: readonly PatchOperation[]): Promise<void>;
  close(): Promise<void>;
}

/** The saved state of previous processes. */
export interface Past {
  readonly history: History;
  /** The document at the last revision. */
  readonly document: Json;
}

/** Persists the history asynchronously. A crash may lose the last few entries. */
export interface HistoryStore {
  /** The saved history to resume from; read before the reconciler is created. */
  readonly past: Past | null;
  /** Adds an applied change, already recorded in `history`, and the resulting document. Never throws. */
  record(entry: HistoryEntry, document: Json, history: History): void;
  /** Records that a change led to a document that must not be written. The history marks the gap. */
  interrupt(document: Json): void;
}
