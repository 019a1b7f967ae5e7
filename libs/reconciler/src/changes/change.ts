/** Configuration changes: requests and results. */
import type { Json } from '@sluice/base';
import type { ExpectedBehavior, PatchOperation, PreparedChange, RequestedTests, ShadowOptions } from '@sluice/registry';
import type { DocumentSources } from './document-sources.ts';
import type { BuildReport } from '../reconcile/report.ts';
import type { Unconfirmed } from './confirmation.ts';
import type { DocumentView } from './effective-document.ts';

/**
 * Creates the new document from the current one. Returns the same node if nothing changes. Runs when the edit reaches the front of the
 * change queue.
 */
export type Edit = (document: Json) => Json;

export interface ChangeOptions {
  /** True to validate and build everything without binding sockets or saving anything. */
  readonly dryRun?: boolean;
  /** True if a dry run should report how the change affects the handling of recorded and generated requests. */
  readonly comparesBehavior?: boolean;
  /** Limits for replaying requests in a dry run; `null` if none are replayed. */
  readonly shadow?: ShadowOptions | null;
  /** Returns the tests that a dry run runs and reports, or `null` if there are none. Called with the documents before and after the change. */
  readonly tests?: (before: Json, after: Json) => RequestedTests | null;
  /**
   * Returns the behavior that the change must preserve, or `null` if there are no restrictions. A change that violates it is rejected.
   * Called with the documents before and after the change.
   */
  readonly expected?: (before: Json, after: Json) => ExpectedBehavior | null;
  /** Maximum number of unchanged modules to list in a dry run. Default: all. */
  readonly maxKept?: number | undefined;
  /** True to rebuild everything, even if nothing has changed. */
  readonly force?: boolean;
  readonly origin?: string;
  readonly by?: string | null;
  /** Request ID, used to detect repeated requests. Default: a new ID. */
  readonly op?: string;
  /** Digest of the request. Used to detect if `op` is reused for a different request. */
  readonly request?: string;
  /** Time, in milliseconds, after which the change is reverted unless it is confirmed. A rollback requires no confirmation. */
  readonly confirmWithin?: number | undefined;
  /**
   * Document transformation that this machine applies before its regular view. `null` means none. Fleet members use a transformation during
   * a rollout. If the change is rejected, the previous transformation remains in use.
   */
  readonly variant?: DocumentView | null;
  /**
   * Adds configuration that is not part of the document, such as routes from providers. This layer replaces the previous layer. If the
   * change is rejected, the previous layer remains in use. A change that affects only the layer is not recorded in the history.
   */
  readonly layer?: DocumentView;
  /** True to end the canary when the change becomes active. Used when the change applies the canary's edit. */
  readonly endsCanary?: boolean;
  /** Source locations of the new document, or `null` if it has none. If absent, the known locations are kept. */
  readonly sources?: DocumentSources | null;
}

export interface ChangeResult {
  /** False if the document did not change and the change was not forced. */
  readonly changed: boolean;
  /** JSON Patch from the previous document to the new document. */
  readonly operations: readonly PatchOperation[];
  /** Modules that a dry run would keep, rebuild, add and remove. */
  readonly report: BuildReport | null;
  /** The change, if it is waiting for confirmation. */
  readonly unconfirmed: Unconfirmed | null;
  /**
   * Reason why the active change could not be saved, which means that a restart would lose it. `null` if it was saved or did not need to be
   * saved.
   */
  readonly unsaved: string | null;
}

export type ChangeAttempt = Pick<PreparedChange, 'op' | 'attempt'>;

/** Documents before and after a change, and the source of the new document. */
export interface Edited {
  readonly before: Json;
  readonly after: Json;
  readonly sources: DocumentSources | null;
}

/** An applied change. `saved` resolves with `null`, or with the reason why the change could not be saved. */
export interface Applied {
  readonly result: ChangeResult;
  readonly saved: Promise<string | null>;
}

/** Result of a dry run or of a change that has no effect. */
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
