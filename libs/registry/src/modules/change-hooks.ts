/** Hooks for configuration changes. History, persistence, metrics, events and packages use them to follow changes. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json, Logger } from '@sluice/base';
import type { AppLookup } from './app-lookup.ts';

/** A JSON Patch operation (RFC 6902). The reconciler only produces `add`, `remove` and `replace`. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

export interface ProposedChange {
  readonly before: Json;
  readonly after: Json;
  /** Source of the change: `PATCH /config/apps`, `file`, `watch`, `resume`, `loader`, and so on. */
  readonly origin: string;
  /** Name of the client's token; `null` if authentication is disabled. */
  readonly by: string | null;
}

export interface MadeModule {
  readonly id: string;
  /** Configuration path: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
}

/** Test case files that a change must pass. */
export interface RequiredTests {
  /** Name of the policy that requires the tests. */
  readonly policy: string;
  /** Paths or glob patterns of test case files. */
  readonly files: readonly string[];
}

/** Behavior that a change must preserve, and tests that it must pass. */
export interface ExpectedBehavior {
  /**
   * Hosts whose requests may be handled differently. Each list contains host patterns without a port. A host must match at least one
   * pattern in every list. `*.example.com` matches all names below `example.com`. `null` means that all requests may be handled
   * differently.
   */
  readonly exceptHosts: readonly (readonly string[])[] | null;
  readonly tests: readonly RequiredTests[];
  /** True if error messages must not contain values from responses, because the client must not read files and environment variables. */
  readonly confined: boolean;
}

/** Tests that a dry run should run. */
export interface RequestedTests {
  readonly required: readonly RequiredTests[];
  /** Content of a test case file that the client sent; `null` if there is none. */
  readonly cases: Json;
  /** True if files and environment variables must not influence the results, because the client must not read them. */
  readonly confined: boolean;
}

/** A change that all threads have prepared but not committed. */
export interface PreparedChange extends ProposedChange {
  /** ID of the change request, which remains the same across retries. */
  readonly op: string;
  /** Attempt number, starting at 1; see {@link ChangeHooks.overtaken}. */
  readonly attempt: number;
  /** JSON Patch from `before` to `after`. */
  readonly operations: readonly PatchOperation[];
  /** Computes and returns the modules that the change creates. Must not be called after the tap has returned. */
  readonly made: () => readonly MadeModule[];
  /** Returns the apps of the changed configuration. Must not be called after the tap has returned. */
  readonly apps: () => AppLookup;
  /** Configuration from which the apps are built: `after` with this machine's overlay and layer. */
  readonly effective: Json;
  /** Behavior that the change must preserve to be accepted; `null` if any behavior is allowed. */
  readonly expected: ExpectedBehavior | null;
  /** Digest of the request that `op` identifies, if the client chose the ID. */
  readonly request?: string;
  /** Time, in milliseconds, after which the change is reverted unless it is confirmed; `null` if no confirmation is required. */
  readonly confirmWithin: number | null;
}

/** An active change that is reverted unless it is confirmed. */
export interface UnconfirmedChange {
  readonly revision: number;
  /** Time when the change is reverted, in milliseconds since the Unix epoch. */
  readonly deadline: number;
}

/** Limits for replaying requests through a proposed configuration. */
export interface ShadowOptions {
  /** Maximum number of requests to replay. */
  readonly requests: number;
  /** Maximum duration of the replay, in seconds. */
  readonly seconds: number;
  /** True to also replay requests that arrive during the replay. */
  readonly live: boolean;
  /** Dial addresses of upstreams that may receive requests with unsafe methods, such as POST. */
  readonly unsafe: readonly string[];
  /** True if files and environment variables must not influence the responses, because the client must not read them. */
  readonly confined: boolean;
}

/** Admin API call that returns the same value as the report. Clients without permission for this call don't get the value. */
export interface ReportRight {
  readonly method: string;
  readonly path: string;
}

/** A change that was built for a dry run. */
export interface RehearsedChange {
  readonly before: Json;
  readonly after: Json;
  /** Apps of the changed configuration. They are disposed of when all taps have completed. */
  readonly apps: AppLookup;
  /** Configuration from which the apps are built: `after` with this machine's overlay and layer. */
  readonly effective: Json;
  /** True if the client requested a comparison of how requests are handled. */
  readonly comparesBehavior: boolean;
  /** Limits of the replay that the client requested; `null` if none was requested. */
  readonly shadow: ShadowOptions | null;
  /** Tests to run and report; `null` if there are none. */
  readonly tests: RequestedTests | null;
  /** Behavior that the change must preserve to be accepted; `null` if any behavior is allowed. */
  readonly expected: ExpectedBehavior | null;
  /** Adds a named value to the result of the dry run. */
  readonly report: (name: string, value: Json, right: ReportRight) => void;
  /** Adds a value that takes a long time to compute. The value is computed later, when other changes can proceed. */
  readonly reportLater: (name: string, compute: () => Promise<Json>, right: ReportRight) => void;
}

/** A failed change that may be retried. */
export interface FailedChange {
  readonly op: string;
  readonly attempt: number;
  readonly error: unknown;
}

/** An active change. */
export interface AppliedChange {
  /** Revision number, starting at 1. Numbering continues across restarts if the history is persistent. */
  readonly revision: number;
  /** Time of the change, in milliseconds since the Unix epoch. */
  readonly time: number;
  readonly origin: string;
  readonly by: string | null;
  /** JSON Patch from `before` to `document`. */
  readonly operations: readonly PatchOperation[];
  /** Previous document. For the first change of a process, this is the last document of the previous process. */
  readonly before: Json;
  readonly document: Json;
}

/** An active change to configuration that is not part of the document. */
export interface LayeredChange {
  readonly origin: string;
  /** JSON Patch between the configurations from which the apps are built. */
  readonly operations: readonly PatchOperation[];
}

/** An active document that must survive a restart. */
export interface KeptChange {
  readonly document: Json;
  /** JSON Patch from the previously saved document to `document`. */
  readonly operations: readonly PatchOperation[];
  /** Delays the response to the client. If the promise rejects, the response reports that the change was not saved. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * Hooks of a server, used in taps of `Registry.hooks.server` in the control thread: `server.hooks.committed.tap('name', (change) => …)`.
 *
 * For each change, `proposed` is called first. It is followed either by `refused`, or by `kept` and `committed`.
 *
 * Errors in taps are logged and ignored, except that `proposed` and `prepared` can reject a change. Changes are applied one at a time, and
 * the next change waits for the taps.
 */
export class ChangeHooks {
  /** Called before a change is built. An error in a tap rejects the change. Not called for dry runs. */
  readonly proposed = new AsyncSeriesHook<[ProposedChange]>(['change']);
  /** Called when a change was built for a dry run. Taps can add to its result. If a tap rejects, the dry run fails. */
  readonly rehearsed = new AsyncSeriesHook<[RehearsedChange]>(['change']);
  /**
   * Called after all threads have prepared a change. This is the last opportunity to reject it.
   *
   * If a tap rejects, all threads abort. After the last tap, the change is committed unconditionally. Other changes wait.
   */
  readonly prepared = new AsyncSeriesHook<[PreparedChange]>(['change']);
  /**
   * Called when a change has failed and other changes can proceed.
   *
   * If a tap resolves to `true`, the edit is retried on the current document. If a tap rejects, the request fails with its error.
   */
  readonly overtaken = new AsyncSeriesBailHook<[FailedChange], boolean>(['change']);
  /**
   * Called before a change is confirmed. If a tap rejects, the change remains unconfirmed and the request fails with the tap's error. Other
   * changes wait.
   */
  readonly confirming = new AsyncSeriesHook<[UnconfirmedChange]>(['change']);
  /** Called when any thread fails to build a change or to bind its addresses. The previous configuration remains active. */
  readonly refused = new SyncHook<[unknown]>(['error']);
  /** Called when a change is active in all threads. */
  readonly committed = new SyncHook<[AppliedChange]>(['change']);
  /** Called when a change to the layer is active in all threads. The document is unchanged, but providers now contribute different routes. */
  readonly layered = new SyncHook<[LayeredChange]>(['change']);
  /**
   * Called when a change is final because it was confirmed or requires no confirmation. At this point, the change is active in this thread,
   * and other threads are still activating it. Work started here runs in parallel.
   */
  readonly kept = new SyncHook<[KeptChange]>(['change']);

  constructor(log: Logger) {
    guardTaps(this.refused, log);
    guardTaps(this.committed, log);
    guardTaps(this.layered, log);
    guardTaps(this.kept, log);
  }
}

/** Makes a hook log errors thrown by its taps and continue with the next tap. */
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
