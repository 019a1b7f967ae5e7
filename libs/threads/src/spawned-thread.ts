/** Traffic threads from the perspective of the pool. */
import type { Channel } from './channel.ts';

/** A thread started by a spawner. */
export interface SpawnedThread {
  readonly channel: Channel;
  /** Resolves with the reason, for the log, when the thread has exited. Must not reject. */
  readonly gone: Promise<string>;
  /** Terminates the thread immediately. Resolves when the thread has exited. */
  terminate(): Promise<void>;
}

/** A thread of the pool. */
export interface Member {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly startedAt: number;
  /** Number of pings since the oldest unanswered ping; -1 if all were answered. */
  unanswered: number;
  /** True after the first response, which means that the thread has loaded its code. */
  loaded: boolean;
  /** Number of changes that the thread is preparing. */
  preparing: number;
  /** True if another thread acts for this thread. */
  silent: boolean;
  /** True if the thread was terminated because it was unresponsive, but has not exited yet. */
  ended: boolean;
}
