/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PASSWORD_HASH: {
    meaning: 'A stored password is not a hash of the algorithm that is configured.',
    advice: 'Make the hash again with `sluice hash-password --algorithm …`.',
  },
};
