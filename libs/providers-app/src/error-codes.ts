/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PROVIDER: {
    meaning: 'A request refers to a provider that is not configured.',
    advice: 'Check the names in `apps.providers.sources`, or list providers with `GET /providers`.',
  },
};
