/** Errors of storages on servers. */
import { messageOf, SluiceError } from '@sluice/base';

/** What a client of a server makes of failures. */
export const storageFaults = {
  refused: (message: string, cause?: unknown): Error => new SluiceError('ERR_STORAGE_SERVER', message, { cause }),
  unknown: (cause: unknown): Error =>
    new SluiceError('ERR_STORAGE_SERVER', `the server did not say whether it has stored: ${messageOf(cause)}`, {
      cause,
    }),
};

/** The error of who does not hold a lock any more. */
export function lockLost(name: string): SluiceError {
  return new SluiceError('ERR_STORAGE_LOCK', `the lock ${name} is over, or was taken by another; nothing was written`);
}
