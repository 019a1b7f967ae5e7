/**
 * Hooks for configuration changes. History, persistence, metrics, events and packages use them to follow the
 * reconciler.
 */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json, Logger } from '@sluice/base';
import type { AppLookup } from './app-lookup.ts';

/** A JSON Patch operation (RFC 6902). The reconciler uses only add, remove and replace. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

export interface ProposedChange {
  readonly before: Json;
  readonly after: Json;
  /** Source of the change: `PATCH /config/apps`, `file`, `watch`, `resume`, `loader`, … */
  readonly origin: string;
  /** Name of the client's token; `null` if authentication is disabled. */
  readonly by: string | null;
}

export interface MadeModule {
  readonly id: string;
  /** Configuration path: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
}

/** Test case files that must pass. */
export interface RequiredTests {
  /** Name of the policy that requires the tests. */
  readonly policy: string;
  /** Paths or glob patterns. */
  readonly files: readonly string[];
}

/** Behavior that a change must keep, and tests that it must pass. */
export interface ExpectedBehavior {
  /**
   * Hosts whose requests may be handled differently: patterns without a port, of which each list must match one. `*.example.com` matches all
   * names below `example.com`. `null` = all requests may be handled differently.
   */
  readonly exceptHosts: readonly (readonly string[])[] | null;
  readonly tests: readonly RequiredTests[];
  /** True if error messages must not contain values from responses, because the client must not read files and environment variables. */
  readonly confined: boolean;
}

/** Tests to run for a dry run. */
export interface RequestedTests {
  readonly required: readonly RequiredTests[];
  /** Content of a test case file that the client sends; `null` for none. */
  readonly cases: Json;
  /** True if files and environment variables must not influence the results, because the client must not read them. */
  readonly confined: boolean;
}

/** A change that all threads have prepared but not committed. */
export interface PreparedChange extends ProposedChange {
  /** Identifies the change request across retries. */
  readonly op: string;
  /** Attempt number, starting at 1; see {@link ChangeHooks.overtaken}. */
  readonly attempt: number;
  /** The JSON Patch from `before` to `after`. */
  readonly operations: readonly PatchOperation[];
  /** Returns the modules that the change creates. Computed on call, and only available until the tap returns. */
  readonly made: () => readonly MadeModule[];
  /** Returns the apps of the changed configuration. Can be called only until the tap returns. */
  readonly apps: () => AppLookup;
  /** The configuration that the apps are built from: `after` with the overlay and layer of this machine. */
  readonly effective: Json;
  /** Behavior that the change must keep, or be rejected; `null` for any. */
  readonly expected: ExpectedBehavior | null;
  /** Digest of the request that `op` identifies, if the client chose the id. */
  readonly request?: string;
  /** Milliseconds until the unconfirmed change is reverted; `null` if the change does not need confirmation. */
  readonly confirmWithin: number | null;
}

/** An active change that is reverted unless it is confirmed. */
export interface UnconfirmedChange {
  readonly revision: number;
  /** Time of the revert, in milliseconds since the Unix epoch. */
  readonly deadline: number;
}

/** Bounds of a replay of requests through a proposed configuration. */
export interface ShadowOptions {
  /** Maximum number of requests. */
  readonly requests: number;
  /** Maximum duration, in seconds. */
  readonly seconds: number;
  /** True to also replay requests that arrive meanwhile. */
  readonly live: boolean;
  /** Dial addresses of upstreams that may receive requests with unsafe methods, such as POST. */
  readonly unsafe: readonly string[];
  /** True if files and environment variables must not influence the responses, because the client must not read them. */
  readonly confined: boolean;
}

/** Admin API call that returns the same value. Clients without permission for this call do not see the value. */
export interface ReportRight {
  readonly method: string;
  readonly path: string;
}

/** A change that was built for a dry run. */
export interface RehearsedChange {
  readonly before: Json;
  readonly after: Json;
  /** Apps of the changed configuration. Disposed of when the taps have completed. */
  readonly apps: AppLookup;
  /** The configuration that the apps are built from: `after` with the overlay and layer of this machine. */
  readonly effective: Json;
  /** True if the client requests a comparison of how requests are handled. */
  readonly comparesBehavior: boolean;
  /** Bounds of the replay that the client requests; `null` for none. */
  readonly shadow: ShadowOptions | null;
  /** Tests to run and report; `null` for none. */
  readonly tests: RequestedTests | null;
  /** Behavior that the change must keep, or be rejected; `null` for any. */
  readonly expected: ExpectedBehavior | null;
  /** Adds a named value to the dry run result. */
  readonly report: (name: string, value: Json, right: ReportRight) => void;
  /** Adds a value that takes long to compute. It is computed when other changes can proceed. */
  readonly reportLater: (name: string, compute: () => Promise<Json>, right: ReportRight) => void;
}

/** A failed change that can be retried. */
export interface FailedChange {
  readonly op: string;
  readonly attempt: number;
  readonly error: unknown;
}

/** An active change. */
export interface AppliedChange {
  /** Revision number, starting at 1. Continues across restarts if the history is persistent. */
  readonly revision: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly origin: string;
  readonly by: string | null;
  /** The JSON Patch from `before` to `document`. */
  readonly operations: readonly PatchOperation[];
  /** The previous document. For the first change of a process, the last document of the previous process. */
  readonly before: Json;
  readonly document: Json;
}

/** An active change of configuration that is not part of the document. */
export interface LayeredChange {
  readonly origin: string;
  /** The JSON Patch between the configurations that the apps are built from. */
  readonly operations: readonly PatchOperation[];
}

/** An active document that must survive a restart. */
export interface KeptChange {
  readonly document: Json;
  /** The JSON Patch from the previously persisted document to `document`. */
  readonly operations: readonly PatchOperation[];
  /** Delays the response to the client. If the promise rejects, the client is told that the change was not saved. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * Tapped from `Registry.hooks.server`, in the control thread: `server.hooks.committed.tap('name', (change) => …)`.
 *
 * For each change, `proposed` is called first, followed by `refused`, or by `kept` and `committed`.
 *
 * Tap errors are logged and ignored, but `proposed` and `prepared` can reject a change. Changes are made one at a time, and the next change
 * waits for the taps.
 */
export class ChangeHooks {
  /** Called before a change is built. If a tap throws, its error rejects the change. Dry runs do not call the tap. */
  readonly proposed = new AsyncSeriesHook<[ProposedChange]>(['change']);
  /** Called when a change was built for a dry run; taps can add to its result. A tap that rejects fails the dry run. */
  readonly rehearsed = new AsyncSeriesHook<[RehearsedChange]>(['change']);
  /**
   * Called after all threads have prepared a change: the last opportunity to reject the change.
   *
   * If a tap rejects, all threads abort. After the last tap, the change is committed unconditionally. Other changes wait.
   */
  readonly prepared = new AsyncSeriesHook<[PreparedChange]>(['change']);
  /**
   * Called when a change has failed and other changes can proceed.
   *
   * If a tap resolves to `true`, the edit is repeated on the current document. If a tap rejects, the request fails with the tap's error.
   */
  readonly overtaken = new AsyncSeriesBailHook<[FailedChange], boolean>(['change']);
  /**
   * Called before a change is confirmed. If a tap rejects, the change stays unconfirmed and the request fails with the tap's error. Other
   * changes wait.
   */
  readonly confirming = new AsyncSeriesHook<[UnconfirmedChange]>(['change']);
  /** Called when a change could not be built or bound in some thread. The previous configuration stays active. */
  readonly refused = new SyncHook<[unknown]>(['error']);
  /** Called when a change is active in all threads. */
  readonly committed = new SyncHook<[AppliedChange]>(['change']);
  /** Called when a change of the layer is active in all threads: the document is the same, but providers have added other routes. */
  readonly layered = new SyncHook<[LayeredChange]>(['change']);
  /**
   * Called when a change is final, because it needs no confirmation or was confirmed. The change is active in this thread while the other
   * threads are still swapping, so work started here overlaps with the swap.
   */
  readonly kept = new SyncHook<[KeptChange]>(['change']);

  constructor(log: Logger) {
    guardTaps(this.refused, log);
    guardTaps(this.committed, log);
    guardTaps(this.layered, log);
    guardTaps(this.kept, log);
  }
}

/** Makes a hook log tap errors and continue. */
export function guardTaps<T>(hook: SyncHook<[T]>, log: Logger): void {
  hook.intercept({
    register: (tap) => {
      const { fn, name } = tap as typeof tap & { fn: (value: T) => void };
      const guarded = (value: T): void => {
        try {
          fn(value);
        } catch (error) {
          log.error('tap failed', { tap: name, error });
        }
      };
      return { ...tap, fn: guarded };
    },
  });
}
