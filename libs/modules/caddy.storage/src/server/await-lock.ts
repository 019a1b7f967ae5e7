/** Waits for locks of server-based storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions, StorageTimes } from '@sluice/contracts';

/** Default lock timing in milliseconds. An owner renews its lock three times per lease duration (`span`). */
export const defaultTimes: StorageTimes = { span: 15_000, poll: 1000 };

/** Calls `take` until it returns a lock. `take` returns `null` if another process owns the lock. */
export async function awaitLock<T>(
  take: () => Promise<T | null>,
  { signal }: LockOptions,
  { poll }: StorageTimes,
): Promise<T> {
  for (let wait = 10; ; wait = Math.min(wait * 2, poll)) {
    signal?.throwIfAborted();
    const lock = await take();
    if (lock !== null) return lock;
    // Use random delays to avoid simultaneous retries.
    await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
}
