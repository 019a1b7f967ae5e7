/** What a change of the configuration is: what is asked for, and what came of it. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { DocumentSources } from './document-sources.ts';
import type { BuildReport } from '../reconcile/report.ts';
import type { Unconfirmed } from './confirmation.ts';
import type { DocumentView } from './effective-document.ts';

/** Makes the new document of the current one; returns the same node for "nothing to do". Runs when it is its turn. */
export type Edit = (document: Json) => Json;

/** How a change is to be applied. */
export interface ChangeOptions {
  /** Check and build everything, bind and keep nothing. */
  readonly dryRun?: boolean;
  /** Of a dry run: how many of the modules that are kept are listed. Default: all. */
  readonly mostKept?: number | undefined;
  /** Build everything again, also what did not change. */
  readonly force?: boolean;
  /** Who asked, for logs and history: `PATCH /config/apps`, `file`, `watch`, `resume`, `loader` … Default: `api`. */
  readonly origin?: string;
  /** Who it was, where clients have to say; the name of a token. */
  readonly by?: string | null;
  /** Names the request, for those who have to recognise it when it comes again. Default: one of its own. */
  readonly op?: string;
  /** Digest of the request that `op` names, for those who have to recognize another one by the same name. */
  readonly request?: string;
  /** Undo the change after so many milliseconds, unless it is confirmed. Going back to where one was needs none. */
  readonly confirmWithin?: number | undefined;
  /**
   * What this machine makes of the document from now on, before its own view of it; `null` for nothing. While a fleet tries a change out,
   * some machines have it so. Where the change is refused, all stays as it was.
   */
  readonly variant?: DocumentView | null;
  /** Where the new document was written: `null` if it was nowhere. Without it, what is known of the one before stays. */
  readonly sources?: DocumentSources | null;
}

/** What came of a change. */
export interface ChangeResult {
  /** False if the document was the same and nothing was forced. */
  readonly changed: boolean;
  /** From the document before to the one after. */
  readonly operations: readonly PatchOperation[];
  /** For a dry run: which modules would be kept, made again, added, dropped. */
  readonly report: BuildReport | null;
  /** The change itself, if it has to be confirmed. */
  readonly unconfirmed: Unconfirmed | null;
  /** Why the change, which is in force, could not be saved and is lost at a restart; `null` if it was, or was not to be. */
  readonly unsaved: string | null;
}

/** Of a change that changes nothing, or was only tried out. */
export const nothingMade: ChangeResult = {
  changed: false,
  operations: [],
  report: null,
  unconfirmed: null,
  unsaved: null,
};

/** A document, or the one that a function gives now. */
export function documentOf(given: Json | (() => Json)): Json {
  return typeof given === 'function' ? given() : given;
}

/** What a change has of the digest of its request. */
export function digestOf({ request }: ChangeOptions): Pick<ChangeOptions, 'request'> {
  return request === undefined ? {} : { request };
}
