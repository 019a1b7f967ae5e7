/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PKI_AUTHORITY: {
    meaning: 'Unknown certificate authority.',
    advice: 'Use `local`, or the ID of a certificate authority in the `pki` app.',
  },
  ERR_PKI_NAMES: {
    meaning: 'A certificate was requested without a name.',
    advice: 'Module authors: specify at least one name.',
  },
  ERR_PKI_ROOT_KEY: {
    meaning: 'The root private key, which is required to create an intermediate certificate, is missing.',
    advice: 'Restore the key, or configure a custom intermediate certificate.',
  },
  ERR_PKI_TRUST: {
    meaning:
      "A root certificate could not be installed in this machine's trust store, or could not be removed from it.",
    advice:
      'The message identifies the missing program or permission. You can also import the root certificate into browsers manually.',
  },
};
