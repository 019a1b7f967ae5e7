/** Declarations of events about managed certificates. */
import { declareEvent, type EventDeclaration } from '@sluice/registry';

const origin = 'tls';
const identifier = 'Host name or IP address that the certificate is for.';
const renewal = '`true` if a certificate for this name already exists.';

export const certObtaining = declareEvent({
  origin,
  name: 'cert_obtaining',
  help: 'A certificate is about to be obtained or renewed.',
  data: { identifier, renewal },
});

export const certObtained = declareEvent({
  origin,
  name: 'cert_obtained',
  help: 'A certificate was obtained or renewed, and saved to storage.',
  data: {
    identifier,
    renewal,
    issuer: 'Storage key of the issuer.',
    certificate_path: 'Location of the certificate in storage.',
  },
});

export const certFailed = declareEvent({
  origin,
  name: 'cert_failed',
  help: 'A certificate could not be obtained or renewed. The server will retry.',
  data: {
    identifier,
    renewal,
    remaining: 'Remaining validity of the current certificate, in milliseconds, or null if no certificate exists.',
    issuers: 'Storage keys of the issuers that were tried.',
    error: 'Reason why the certificate could not be obtained.',
  },
});

export const cachedManagedCert = declareEvent({
  origin,
  name: 'cached_managed_cert',
  help: 'A managed certificate was obtained, or loaded from storage, and is now in use.',
  data: {
    sans: 'Host names and IP addresses in the certificate.',
    replaces: 'Hash of the certificate that was replaced, or null.',
  },
});

export const certOcspRevoked = declareEvent({
  origin,
  name: 'cert_ocsp_revoked',
  help: 'A managed certificate was revoked, according to OCSP. The server will replace it.',
  data: {
    subjects: 'Host names and IP addresses in the certificate.',
    reason: 'Revocation reason (RFC 5280).',
    revoked_at: 'Revocation time, in milliseconds since the Unix epoch.',
  },
});

export type Emit = <Data extends string>(event: EventDeclaration<Data>, data: Readonly<Record<Data, unknown>>) => void;
