/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PKI_AUTHORITY: {
    meaning: 'Unknown certificate authority.',
    advice: 'Use `local`, or the ID of a certificate authority in the `pki` app.',
  },
  ERR_PKI_NAMES: {
    meaning: 'A certificate was requested without any name.',
    advice: 'For module authors: pass at least one name.',
  },
  ERR_PKI_ROOT_KEY: {
    meaning: 'The private key of the root, which is required to create an intermediate certificate, is missing.',
    advice: 'Restore the key, or configure your own intermediate certificate.',
  },
  ERR_PKI_TRUST: {
    meaning: 'Cannot install a root certificate in the trust store of this machine, or remove it.',
    advice:
      'See the message for the missing program or permission. You can also import the root into browsers manually.',
  },
};
