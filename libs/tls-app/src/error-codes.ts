/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_CERTIFICATE: {
    meaning: 'A client did not send a certificate, or sent a certificate that `client_authentication` does not accept.',
    advice:
      'If the client should be rejected, no action is required. Otherwise, compare its certificate with the trusted certificates.',
  },
  ERR_IDENTITY: {
    meaning: 'The server has no identity certificate (`admin.identity`).',
    advice: 'Set `identifiers` and `issuers` in `admin.identity`. The message contains the result of the last attempt.',
  },
  ERR_ISSUANCE: {
    meaning: 'A certificate could not be obtained or renewed. The server will retry.',
    advice:
      'The message contains the reason from each issuer. Common causes are DNS errors, a firewall that blocks port 80 or 443, and rate limits.',
  },
  ERR_OCSP: {
    meaning: 'An OCSP response could not be fetched, or is not for this certificate. The server will retry.',
    advice:
      'Check the OCSP responder in the message. Until it responds, certificates are served without a stapled OCSP response.',
  },
};
