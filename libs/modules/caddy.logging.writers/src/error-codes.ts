/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_LOG_OUTPUT: {
    meaning: 'A log output, such as a file or a pino transport, cannot be opened or has stopped.',
    advice: 'The message contains the reason. Lines that could not be written are counted as dropped.',
  },
};
