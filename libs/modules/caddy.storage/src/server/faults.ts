/** Errors of storages on servers. */
import { messageOf, SluiceError } from '@sluice/base';

/** What a client of a server makes of failures. */
export const storageFaults = {
  refused: (message: string, cause?: unknown): Error => new SluiceError('ERR_STORAGE_SERVER', message, { cause }),
  unknown: (cause: unknown): Error =>
    new SluiceError('ERR_STORAGE_SERVER', `server did not confirm the write: ${messageOf(cause)}`, {
      cause,
    }),
};

/** The error of who does not hold a lock any more. */
export function lockLost(name: string): SluiceError {
  return new SluiceError('ERR_STORAGE_LOCK', `lock ${name} expired or was taken over; nothing was written`);
}
