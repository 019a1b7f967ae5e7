/** Verifies server certificates against a list of names instead of the requested server name. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { SluiceError } from '@sluice/base';

/** A certificate check. Returns an error, or `undefined` if the certificate is accepted. */
export type IdentityCheck = (host: string, certificate: PeerCertificate) => Error | undefined;

/** Matches an entry in Node's list of subject alternative names. Node quotes values with special characters. */
const entry = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)/gy;

/** Returns a check that accepts a certificate with at least one of the names, which are DNS names or URIs. */
export function identityCheck(names: readonly string[]): IdentityCheck {
  const uris = new Set(names.filter((name) => name.includes('://')));
  const hosts = names.filter((name) => !name.includes('://'));
  return (_host, certificate) => {
    if (hosts.some((host) => checkServerIdentity(host, certificate) === undefined)) return undefined;
    for (const [, type, value = ''] of (certificate.subjectaltname ?? '').matchAll(entry))
      if (type === 'URI' && uris.has(value)) return undefined;
    return new SluiceError('ERR_UPSTREAM', `the upstream certificate contains none of the names ${names.join(', ')}`);
  };
}
