/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EXPLAIN_REQUEST: {
    meaning: 'The request to explain is invalid: a key is wrong, or no server listens on its port.',
    advice: 'The message names the key. The guide to explanations describes the format.',
  },
};
