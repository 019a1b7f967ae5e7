/** The store in which the reconciler saves the active document. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { History, HistoryEntry } from './history.ts';

/** Keeps the document over a restart. */
export interface ConfigStore {
  /** Where the history is kept; `null` for nowhere. */
  readonly history: HistoryStore | null;
  /**
   * Saves a change. Resolves when a crash can no longer lose it. Called in order, without waiting for the one before.
   * `operations` make `document` of the one saved before.
   */
  save(document: Json, operations: readonly PatchOperation[]): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** What earlier processes applied. */
export interface Past {
  readonly history: History;
  /** The document of the last revision. */
  readonly document: Json;
}

/** Keeps the history over a restart. What it is given is written later; a crash may lose the last moments of it. */
export interface HistoryStore {
  /** The saved history to resume from; read before the reconciler is created. */
  readonly past: Past | null;
  /** Takes a change that was applied and recorded in `history`, and the document that it led to. Never throws. */
  record(entry: HistoryEntry, document: Json, history: History): void;
  /** A change led to a document that must not be written anywhere. Nothing of it is, but the history knows it. */
  interrupt(document: Json): void;
}
