/** Errors of fleet stores. Callers handle each kind of error differently. */
import { messageOf, SluiceError } from '@sluice/base';

/** Creates the error for a store that is unavailable or rejected the request. Nothing was changed. The status is 503. */
export function storeError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** Creates the error for an invalid value in the store that the member needs in order to continue. The status is 503. */
export function unreadableError(what: string, cause: unknown): SluiceError {
  const message = `the fleet store contains ${what} that cannot be read: ${messageOf(cause)}; nothing was changed; repair or restore the store, or use another cluster name`;
  return new SluiceError('ERR_FLEET_UNREADABLE', message, { status: 503, cause });
}

/** Creates the error for a change with an unknown result: the store may have applied it or may still apply it. The status is 504. */
export function unknownResult(cause: unknown): SluiceError {
  const message = `the store did not report the result of the change: ${messageOf(cause)}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}
