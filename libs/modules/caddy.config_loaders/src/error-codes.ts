/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG_LOADER: {
    meaning: 'Cannot pull a configuration from the source in `admin.config.load`.',
    advice: 'The message contains the address and the reason; the server retries at the configured interval.',
  },
};
