/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_STORAGE_KEY: {
    meaning: 'A key of the storage would lead outside of its folder.',
    advice: 'For authors of modules: use names without `..`.',
  },
};
