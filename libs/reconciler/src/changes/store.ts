/** Interface of the store in which the reconciler saves the active document. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { History, HistoryEntry } from './history.ts';

/** Persists the document. */
export interface ConfigStore {
  /** Store for the history; `null` if the history is not persistent. */
  readonly history: HistoryStore | null;
  /**
   * Saves a change. Resolves once a crash can no longer lose the change. Calls are made in order, without waiting for previous calls to
   * complete. `operations` is the JSON Patch from the previously saved document.
   */
  save(document: Json, operations: readonly PatchOperation[]): Promise<void>;
  close(): Promise<void>;
}

/** State that previous processes have saved. */
export interface Past {
  readonly history: History;
  /** Document at the last revision. */
  readonly document: Json;
}

/** Persists the history asynchronously. A crash may lose the last few entries. */
export interface HistoryStore {
  /** Saved history from which to resume. It is read before the reconciler is created. */
  readonly past: Past | null;
  /** Adds an applied change that is already recorded in `history`, and the resulting document. Never throws. */
  record(entry: HistoryEntry, document: Json, history: History): void;
  /** Records that the document resulting from a change must not be saved. The history marks this gap. */
  interrupt(document: Json): void;
}
