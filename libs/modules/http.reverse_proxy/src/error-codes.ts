/** Error codes that this package defines; `docs/errors.md` documents them. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_UPSTREAM_LOOKUP: {
    meaning: 'The host name of an upstream does not resolve to an address.',
    advice: 'Look up the name on the same machine (`getent hosts NAME`), or set `resolver`.',
  },
};
