/** What can go wrong with a store, as those who use it have to distinguish it. */
import { messageOf, SluiceError } from '@sluice/base';

/** The store cannot be reached, or refuses. Nothing was changed in it. Status 503. */
export function storeError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** The store holds a value that cannot be read, without which nothing can be decided. Status 503. */
export function unreadableError(what: string, cause: unknown): SluiceError {
  const message = `the store of the fleet holds ${what} that cannot be read: ${messageOf(cause)}; nothing was changed: repair or restore it, or give the fleet a cluster of its own`;
  return new SluiceError('ERR_FLEET_UNREADABLE', message, { status: 503, cause });
}

/** The store may have done what it was asked for, or may still do it. Status 504. */
export function unknownResult(cause: unknown): SluiceError {
  const message = `the store did not say what became of the change: ${messageOf(cause)}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}
