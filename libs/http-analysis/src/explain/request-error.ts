/** Errors in the description of a request to explain. */
import { SluiceError } from '@sluice/base';

/** Creates an error about a key in the request description. */
export function requestError(key: string, message: string): SluiceError {
  return new SluiceError('ERR_EXPLAIN_REQUEST', `${key}: ${message}`, { status: 400 });
}
