/** Errors of server-based storage. */
import { messageOf, SluiceError } from '@sluice/base';

/** Converts failures of storage clients to errors with error codes. */
export const storageFaults = {
  refused: (message: string, cause?: unknown): Error => new SluiceError('ERR_STORAGE_SERVER', message, { cause }),
  unknown: (cause: unknown): Error =>
    new SluiceError('ERR_STORAGE_SERVER', `server did not confirm the write: ${messageOf(cause)}`, {
      cause,
    }),
};

export function lockLost(name: string): SluiceError {
  return new SluiceError('ERR_STORAGE_LOCK', `lock ${name} expired or was taken over; nothing was written`);
}
