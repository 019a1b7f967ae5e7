/** Hooks of a change's life: how history, persistence, metrics, events and packages follow what the engine does. */
import { AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json, Logger } from '@sluice/base';

/** One operation of a JSON Patch that the engine makes: the three that suffice, with JSON Pointers. */
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
          log.error('a tap failed', { tap: name, error });
        }
      };
      return { ...tap, fn: guarded };
    },
  });
}
