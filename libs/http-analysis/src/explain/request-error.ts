/** Errors in requests to explain. */
import { SluiceError } from '@sluice/base';

/** Returns an error about a key of the request. */
export function requestError(key: string, message: string): SluiceError {
  return new SluiceError('ERR_EXPLAIN_REQUEST', `${key}: ${message}`, { status: 400 });
}
