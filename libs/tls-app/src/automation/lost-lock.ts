/** Detects that another process has taken over a storage lock. */
import type { StorageLock } from '@sluice/contracts';

/** Reports whether an operation failed because its storage lock was lost. */
export function wasLost(lock: StorageLock, error: unknown): boolean {
  return lock.lost.aborted || (error as { readonly code?: unknown } | null)?.code === 'ERR_STORAGE_LOCK';
}
