/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_LOG_OUTPUT: {
    meaning: 'A log output cannot be opened or has stopped, such as the thread of a pino transport.',
    advice: 'See the message for the reason; lines that could not be written are counted as dropped.',
  },
};
