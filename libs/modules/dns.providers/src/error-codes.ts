/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_DNS_PROVIDER: {
    meaning: 'A DNS provider is unavailable, or rejected a request.',
    advice:
      "Check the credentials and their permissions for the zone. The message contains the provider's response. The server will retry.",
  },
};
