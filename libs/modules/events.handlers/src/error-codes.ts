/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EXEC: {
    meaning: 'A program for an event was not started, as too many of them run already.',
    advice: 'Have the program end sooner, or subscribe it to fewer events.',
  },
};
