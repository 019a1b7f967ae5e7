/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_PKI_AUTHORITY: {
    meaning: 'There is no certificate authority of this id.',
    advice: 'Use `local`, or an id of the app `pki`.',
  },
  ERR_PKI_NAMES: {
    meaning: 'A certificate was asked for without any name.',
    advice: 'For authors of modules: give at least one name.',
  },
  ERR_PKI_ROOT_KEY: {
    meaning: 'An intermediate certificate has to be made, and the private key of the root is not there.',
    advice: 'Put the key back, or configure an intermediate of your own.',
  },
  ERR_PKI_TRUST: {
    meaning: 'A root certificate could not be added to the trust store of this machine, or taken from it.',
    advice: 'The message says which program is missing or which permission; browsers can import the root by hand.',
  },
};
