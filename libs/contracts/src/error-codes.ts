/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CERTIFICATE: {
    meaning: 'A certificate or its private key is missing, cannot be read, or is not of the kind that is needed.',
    advice:
      'The message names the file or the key of the storage. Look at it with `openssl x509 -text`, or put the right one there.',
  },
};
