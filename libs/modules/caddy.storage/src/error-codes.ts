/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_STORAGE_KEY: {
    meaning: 'A key of the storage would lead outside of its folder.',
    advice: 'For authors of modules: use names without `..`.',
  },
  ERR_STORAGE_LOCK: {
    meaning: 'Another process has taken a lock of the storage, so the work under it was given up.',
    advice: 'Nothing, unless it is frequent: then the storage or the clocks of servers that share it are too slow.',
  },
  ERR_STORAGE_SERVER: {
    meaning: 'The server that keeps the storage cannot be reached, or refused what was asked of it.',
    advice: 'Look at the server; the message has what it said. Certificates that are loaded are served meanwhile.',
  },
  ERR_STORAGE_VALUE: {
    meaning: 'A value of the storage was written in a way that is not read, such as encrypted.',
    advice: 'Have it written without, or obtain the certificate again by removing the value.',
  },
};
