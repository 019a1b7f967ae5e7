/** Hooks of a change's life: how history, persistence, metrics, events and packages follow what the reconciler does. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json, Logger } from '@sluice/base';
import type { AppLookup } from './app-lookup.ts';

/** One operation of a JSON Patch (RFC 6902) from the reconciler, which uses only add, remove and replace. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** A change that is about to be made. */
export interface ProposedChange {
  readonly before: Json;
  readonly after: Json;
  /** Who asks for it: `PATCH /config/apps`, `file`, `watch`, `resume`, `loader` … */
  readonly origin: string;
  /** The name of the client's token, where clients have to say who they are. */
  readonly by: string | null;
}

/** A module that a change makes. */
export interface MadeModule {
  readonly id: string;
  /** Where it stands: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
}

/** A change that all threads have prepared, and none has in force. */
export interface PreparedChange extends ProposedChange {
  /** Names the request for the change, over all attempts to make it. */
  readonly op: string;
  /** Counted from 1; see {@link ChangeHooks.overtaken}. */
  readonly attempt: number;
  /** The JSON Patch from `before` to `after`. */
  readonly operations: readonly PatchOperation[];
  /** The modules that it makes, with their places; they are looked for when this is called, and only until the tap is through. */
  readonly made: () => readonly MadeModule[];
  /** Digest of the request that `op` names, where its client has named it. */
  readonly request?: string;
  /** In how many milliseconds it will be undone unless it is confirmed; `null` where it needs no confirmation. */
  readonly confirmWithin: number | null;
}

/** A change in force that is undone unless it is confirmed. */
export interface UnconfirmedChange {
  readonly revision: number;
  /** When it is undone, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A change that is tried out, and was built. */
export interface RehearsedChange {
  readonly before: Json;
  readonly after: Json;
  /** The apps as the change would make them; they are dropped when the taps are done. */
  readonly apps: AppLookup;
  /**
   * Adds something to what the dry run tells, by a name of its own. `right` is the call of the admin API that tells the same: who
   * may not make it is not told here either.
   */
  readonly tell: (name: string, value: Json, right: { readonly method: string; readonly path: string }) => void;
}

/** A change that failed, and may be tried again. */
export interface FailedChange {
  readonly op: string;
  readonly attempt: number;
  readonly error: unknown;
}

/** A change that is in force. */
export interface AppliedChange {
  /** Counted from 1; goes on over restarts where the history is kept over them. */
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: string;
  readonly by: string | null;
  /** The JSON Patch from `before` to `document`. */
  readonly operations: readonly PatchOperation[];
  /** The document before it. For the first change of a process it is what an earlier process ended with. */
  readonly before: Json;
  readonly document: Json;
}

/** A document in force that has to outlive a restart. */
export interface KeptChange {
  readonly document: Json;
  /** What makes `document` of the one kept before. */
  readonly operations: readonly PatchOperation[];
  /** Delays the response to the client; if the promise rejects, the client learns that the change is not saved. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * Tap these from `Registry.hooks.server`, in the control thread: `server.hooks.committed.tap('name', (change) => …)`.
 * For each change `proposed` comes first, then either `refused`, or `kept` and `committed`. What a tap throws is logged and
 * stops nothing; only `proposed` may refuse. Changes are made one at a time, and the next waits for the taps.
 */
export class ChangeHooks {
  /** Before anything of a change is built. A tap that throws refuses the change with its error. Dry runs do not come here. */
  readonly proposed = new AsyncSeriesHook<[ProposedChange]>(['change']);
  /** A change was built for a dry run, which tells what taps have to say of it. A tap that rejects has the dry run fail. */
  readonly rehearsed = new AsyncSeriesHook<[RehearsedChange]>(['change']);
  /**
   * A change is prepared in all threads: the last moment to refuse it. A tap that rejects makes all threads drop what they have prepared;
   * once the last tap is through, the change is in force whatever happens. Other changes wait meanwhile.
   */
  readonly prepared = new AsyncSeriesHook<[PreparedChange]>(['change']);
  /**
   * A change has failed, and others may be made now. A tap that resolves with `true` has it tried again, from its edit on, on the
   * document of then; a tap that rejects has the request fail with its error.
   */
  readonly overtaken = new AsyncSeriesBailHook<[FailedChange], boolean>(['change']);
  /**
   * A change that waits for its confirmation is about to get it. A tap that rejects keeps it waiting, and the request fails with its
   * error. Other changes wait meanwhile.
   */
  readonly confirming = new AsyncSeriesHook<[UnconfirmedChange]>(['change']);
  /** A change could not be built or bound, in some thread; the configuration before it stays in force. */
  readonly refused = new SyncHook<[unknown]>(['error']);
  /** A change is in force in all threads. */
  readonly committed = new SyncHook<[AppliedChange]>(['change']);
  /**
   * A change needs no confirmation, or was confirmed. It is in force in this thread, and the others are told to swap: what is
   * begun here is done while they do.
   */
  readonly kept = new SyncHook<[KeptChange]>(['change']);

  constructor(log: Logger) {
    guardTaps(this.refused, log);
    guardTaps(this.committed, log);
    guardTaps(this.kept, log);
  }
}

/** Makes a hook log what its taps throw and call the others. */
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
