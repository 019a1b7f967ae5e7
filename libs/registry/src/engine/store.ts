/** Where the engine saves the document that is in force. */
import type { Json } from '../config/json.ts';
import type { PatchOperation } from '../config/patch.ts';

/** Keeps the document over a restart. */
export interface ConfigStore {
  /**
   * Saves a change. Resolves when a crash can no longer lose it. Called in order, without waiting for the one before.
   * `operations` make `document` of the one saved before.
   */
  save(document: Json, operations: readonly PatchOperation[]): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
