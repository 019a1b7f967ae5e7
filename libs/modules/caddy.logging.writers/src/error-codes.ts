/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_LOG_OUTPUT: {
    meaning: 'A log output cannot be opened or has ended, such as the thread of a pino transport.',
    advice: 'The message has the reason; lines that it did not take are counted as dropped.',
  },
};
