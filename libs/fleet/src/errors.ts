/** Store errors. Callers handle each error differently. */
import { messageOf, SluiceError } from '@sluice/base';

/** The store is unavailable or rejected the request. Nothing was changed. Status 503. */
export function storeError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** The store contains an invalid value that is needed to continue. Status 503. */
export function unreadableError(what: string, cause: unknown): SluiceError {
  const message = `the fleet store contains ${what} that cannot be read: ${messageOf(cause)}; nothing was changed; repair or restore the store, or use another cluster name`;
  return new SluiceError('ERR_FLEET_UNREADABLE', message, { status: 503, cause });
}

/** The store may have applied the change, or may still apply it. Status 504. */
export function unknownResult(cause: unknown): SluiceError {
  const message = `the store did not report the result of the change: ${messageOf(cause)}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}
