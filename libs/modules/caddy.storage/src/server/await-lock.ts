/** Waits for a lock on a server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions, StorageTimes } from '@sluice/contracts';

/** An owner renews its lock three times per lease duration. */
export const defaultTimes: StorageTimes = { span: 15_000, poll: 1000 };

/** Retries until `take` returns a lock. `null` means that another process owns the lock. */
export async function awaitLock<T>(
  take: () => Promise<T | null>,
  { signal }: LockOptions,
  { poll }: StorageTimes,
): Promise<T> {
  for (let wait = 10; ; wait = Math.min(wait * 2, poll)) {
    signal?.throwIfAborted();
    const lock = await take();
    if (lock !== null) return lock;
    // Random delays avoid simultaneous retries.
    await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
}
