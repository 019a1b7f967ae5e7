/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_CERTIFICATE: {
    meaning: 'A client has no certificate, or one that `client_authentication` does not accept.',
    advice: 'Nothing, unless the client should be accepted: then compare its certificate with the trusted ones.',
  },
  ERR_IDENTITY: {
    meaning: 'The server has no certificate for its own identity (`admin.identity`).',
    advice: 'Set its identifiers and issuers; the message has what became of the last attempt.',
  },
  ERR_ISSUANCE: {
    meaning: 'A certificate could not be obtained or renewed; the server tries again later.',
    advice:
      'The message has the reason of each issuer: often DNS, a firewall before port 80 or 443, or a limit of the authority.',
  },
  ERR_OCSP: {
    meaning: 'An OCSP response could not be fetched, or is not one for this certificate; the server tries again later.',
    advice: 'The message names the responder. Until then certificates are served without a staple.',
  },
};
