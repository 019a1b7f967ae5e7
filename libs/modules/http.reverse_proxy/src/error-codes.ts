/** Error codes that this package defines; `docs/errors.md` documents them. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_UPSTREAM_LOOKUP: {
    meaning: 'An upstream host name could not be resolved to an IP address.',
    advice: 'Look up the host name on the same machine (`getent hosts NAME`), or set `resolver`.',
  },
};
