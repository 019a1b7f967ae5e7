/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_CERTIFICATE: {
    meaning: 'A client did not send a certificate, or sent one that `client_authentication` does not accept.',
    advice:
      'None, unless the client should be accepted. In that case, compare its certificate with the trusted certificates.',
  },
  ERR_IDENTITY: {
    meaning: 'The server has no certificate for its own identity (`admin.identity`).',
    advice: 'Set `identifiers` and `issuers`. The message contains the result of the last attempt.',
  },
  ERR_ISSUANCE: {
    meaning: 'A certificate could not be obtained or renewed. The server will retry.',
    advice:
      'The message contains the reason from each issuer. Common causes are DNS, a firewall that blocks port 80 or 443, or a rate limit.',
  },
  ERR_OCSP: {
    meaning: 'An OCSP response could not be fetched, or does not apply to the certificate. The server will retry.',
    advice: 'Check the responder in the message. Until it responds, certificates are served without a staple.',
  },
};
