/** A traffic thread as the pool sees it. */
import type { Channel } from './channel.ts';

/** A thread that a spawner started. */
export interface SpawnedThread {
  readonly channel: Channel;
  /** Resolves when it has ended, with the reason as text for the log. Must not reject. */
  readonly gone: Promise<string>;
  /** Ends it at once. Resolves when it has ended. */
  terminate(): Promise<void>;
}

/** A thread of the pool. */
export interface Member {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly startedAt: number;
  /** How many pulses ago a ping was sent that waits for its response; -1 while none does. */
  owed: number;
  /** It has responded once: its code is loaded. */
  loaded: boolean;
  /** Changes that it prepares. */
  preparing: number;
  /** Another thread was asked to stand in for it. */
  silent: boolean;
  /** It was ended for its silence, and is not gone yet. */
  ended: boolean;
}
