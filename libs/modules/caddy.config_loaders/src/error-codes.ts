/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG_LOADER: {
    meaning: 'A configuration could not be pulled from the source in `admin.config.load`.',
    advice:
      'Check the source. The message contains the address and the reason. The server retries at the configured interval.',
  },
};
