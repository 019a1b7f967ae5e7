/** Locks of the storage that another process has taken over. */
import type { StorageLock } from '@sluice/contracts';

/** Whether what was done under a lock has failed since the lock was lost. */
export function wasLost(lock: StorageLock, error: unknown): boolean {
  return lock.lost.aborted || (error as { readonly code?: unknown } | null)?.code === 'ERR_STORAGE_LOCK';
}
