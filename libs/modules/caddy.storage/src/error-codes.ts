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
};
