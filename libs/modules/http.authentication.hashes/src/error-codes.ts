/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PASSWORD_HASH: {
    meaning: 'A stored password hash is not in the format of the configured algorithm.',
    advice: 'Create the hash again with `sluice hash-password --algorithm …`.',
  },
};
