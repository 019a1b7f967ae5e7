/** Waits for a lock on a server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions } from '@sluice/contracts';

/** In milliseconds. */
export interface ServerLockTimes {
  /** How long a lock lasts that its holder does not renew; it does three times in this. */
  readonly span: number;
  /** Longest wait between two looks at a lock that is taken. */
  readonly poll: number;
}

export const usualTimes: ServerLockTimes = { span: 15_000, poll: 1000 };

/** Tries until `take` gives the lock, which is `null` while another has it. */
export async function awaitLock<T>(
  take: () => Promise<T | null>,
  { signal }: LockOptions,
  { poll }: ServerLockTimes,
): Promise<T> {
  for (let wait = 10; ; wait = Math.min(wait * 2, poll)) {
    signal?.throwIfAborted();
    const lock = await take();
    if (lock !== null) return lock;
    // Not in step with others that wait for the same lock.
    await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
}
