/** Interface of a traffic thread for the thread pool. */
import type { Channel } from './channel.ts';

/** A thread that a `Spawn` function has started. */
export interface SpawnedThread {
  readonly channel: Channel;
  /** Resolves when the thread has exited, with the reason for the log. Must not reject. */
  readonly gone: Promise<string>;
  /** Terminates the thread immediately. Resolves after the thread has exited. */
  terminate(): Promise<void>;
}

/** A thread in the thread pool. */
export interface Member {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly startedAt: number;
  /** Number of pings sent since the oldest unanswered ping. -1 if there is no unanswered ping. */
  unanswered: number;
  /** True after the first ping response, which shows that the thread has loaded its code. */
  loaded: boolean;
  /** Number of changes that the thread is currently preparing. */
  preparing: number;
  /** True if the thread is unresponsive and another thread is standing in for it. */
  silent: boolean;
  /** True if the unresponsive thread is being terminated but has not exited yet. */
  ended: boolean;
}
