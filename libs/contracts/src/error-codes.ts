import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CERTIFICATE: {
    meaning: 'A certificate or private key is missing, unreadable, or of an unsupported type.',
    advice: 'Inspect the file or storage key in the message with `openssl x509 -text`, or replace it.',
  },
};
