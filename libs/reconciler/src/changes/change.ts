/** Configuration changes: requests and results. */
import type { Json } from '@sluice/base';
import type { ExpectedBehavior, PatchOperation, PreparedChange, RequestedTests, ShadowOptions } from '@sluice/registry';
import type { DocumentSources } from './document-sources.ts';
import type { BuildReport } from '../reconcile/report.ts';
import type { Unconfirmed } from './confirmation.ts';
import type { DocumentView } from './effective-document.ts';

/**
 * Creates the new document from the current one, or returns the same node if nothing changes. Runs when the change queue reaches the edit.
 */
export type Edit = (document: Json) => Json;

export interface ChangeOptions {
  /** True to validate and build everything without binding or persisting anything. */
  readonly dryRun?: boolean;
  /** True to report in a dry run how recorded and generated requests would be handled differently. */
  readonly comparesBehavior?: boolean;
  /** Bounds of a replay of requests in a dry run; `null` for none. */
  readonly shadow?: ShadowOptions | null;
  /** For a dry run: returns tests to run and report; `null` for none. Called with both documents. */
  readonly tests?: (before: Json, after: Json) => RequestedTests | null;
  /** Returns the behavior that the change must keep, or be rejected; `null` for any. Called with both documents. */
  readonly expected?: (before: Json, after: Json) => ExpectedBehavior | null;
  /** Maximum number of unchanged modules that a dry run lists. Default: all. */
  readonly maxKept?: number | undefined;
  /** True to rebuild everything, even if nothing changed. */
  readonly force?: boolean;
  readonly origin?: string;
  readonly by?: string | null;
  /** Request id, which detects repetitions. Default: a new id. */
  readonly op?: string;
  /** Request digest, which reveals whether `op` was reused for another request. */
  readonly request?: string;
  /**
   * Reverts the change after this many milliseconds, unless it is confirmed. A rollback does not require confirmation.
   */
  readonly confirmWithin?: number | undefined;
  /**
   * Document transformation to apply on this machine before its own view; `null` means none. Fleet members use a transformation during a
   * rollout.
   *
   * If the change is rejected, the previous transformation remains.
   */
  readonly variant?: DocumentView | null;
  /**
   * Adds configuration that is not part of the document, such as provider routes. Replaces the previous layer; if the change is rejected,
   * the previous layer stays. The history does not record a change of the layer alone.
   */
  readonly layer?: DocumentView;
  /** Ends the canary with the swap, because the change is the canary's edit. */
  readonly endsCanary?: boolean;
  /** Source locations of the new document, or `null` if the document has none. If the field is absent, the known locations are kept. */
  readonly sources?: DocumentSources | null;
}

export interface ChangeResult {
  /** False if the document is unchanged and the change was not forced. */
  readonly changed: boolean;
  /** JSON Patch from the previous to the new document. */
  readonly operations: readonly PatchOperation[];
  /** Modules that a dry run would keep, rebuild, add and remove. */
  readonly report: BuildReport | null;
  /** The change, if it awaits confirmation. */
  readonly unconfirmed: Unconfirmed | null;
  /** Reason why the active change could not be saved and would be lost on restart; `null` if it was saved or did not need saving. */
  readonly unsaved: string | null;
}

export type ChangeAttempt = Pick<PreparedChange, 'op' | 'attempt'>;

/** Documents of a change, and the source of the new document. */
export interface Edited {
  readonly before: Json;
  readonly after: Json;
  readonly sources: DocumentSources | null;
}

/** An applied change. `saved` resolves with the reason why it could not be saved, or `null`. */
export interface Applied {
  readonly result: ChangeResult;
  readonly saved: Promise<string | null>;
}

/** Result of a change without effect, or of a dry run. */
export const nothingMade: ChangeResult = {
  changed: false,
  operations: [],
  report: null,
  unconfirmed: null,
  unsaved: null,
};

export function documentOf(given: Json | (() => Json)): Json {
  return typeof given === 'function' ? given() : given;
}

export function digestOf({ request }: ChangeOptions): Pick<ChangeOptions, 'request'> {
  return request === undefined ? {} : { request };
}
