/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG_LOADER: {
    meaning: 'A configuration cannot be pulled from where `admin.config.load` says.',
    advice: 'The message has the address and the reason; the server tries again at its interval.',
  },
};
