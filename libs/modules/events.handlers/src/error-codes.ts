/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EXEC: {
    meaning: 'An event handler program was not started because too many are already running.',
    advice: 'Make the program exit sooner, or subscribe it to fewer events.',
  },
};
