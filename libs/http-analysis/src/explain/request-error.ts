/** Errors of what a client asks to be explained. */
import { SluiceError } from '@sluice/base';

/** Says what is wrong with a key of the request. */
export function requestError(key: string, message: string): SluiceError {
  return new SluiceError('ERR_EXPLAIN_REQUEST', `${key}: ${message}`, { status: 400 });
}
