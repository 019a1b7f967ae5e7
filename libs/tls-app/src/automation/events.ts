/** Events about managed certificates. */
import { declareEvent, type EventDeclaration } from '@sluice/registry';

const origin = 'tls';
const identifier = 'Name or address that the certificate is for.';
const renewal = 'Whether a certificate already exists.';

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
  help: 'A certificate could not be obtained; the server will retry.',
  data: {
    identifier,
    renewal,
    remaining: 'Remaining validity of the current certificate, in milliseconds; null if there is none.',
    issuers: 'Keys of the issuers that were tried.',
    error: 'Why.',
  },
});

export const cachedManagedCert = declareEvent({
  origin,
  name: 'cached_managed_cert',
  help: 'A managed certificate was loaded from storage or obtained, and is served from now on.',
  data: {
    sans: 'Names in the certificate.',
    replaces: 'Hash of the certificate that it replaces; null if there is none.',
  },
});

export const certOcspRevoked = declareEvent({
  origin,
  name: 'cert_ocsp_revoked',
  help: 'According to OCSP, a managed certificate was revoked; it will be replaced.',
  data: {
    subjects: 'Names in the certificate.',
    reason: 'Revocation reason (RFC 5280).',
    revoked_at: 'Revocation time, in milliseconds since 1970.',
  },
});

export type Emit = <Data extends string>(event: EventDeclaration<Data>, data: Readonly<Record<Data, unknown>>) => void;
