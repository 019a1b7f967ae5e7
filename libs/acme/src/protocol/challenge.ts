/** Challenge functions that the client and the server share (RFC 8555 §8, RFC 8737). */
import { createHash } from 'node:crypto';
import { thumbprint, type Jwk } from './jwk.ts';

export type ChallengeType = 'http-01' | 'tls-alpn-01' | 'dns-01';

export type ClientChallengeType = ChallengeType | 'dns-persist-01';

/** ALPN protocol name of `tls-alpn-01`. */
export const acmeTlsProtocol = 'acme-tls/1';

/** OID of the `acmeIdentifier` extension. This extension contains the digest in `tls-alpn-01` certificates. */
export const acmeIdentifierOid = '1.3.6.1.5.5.7.1.31';

/** URL path prefix of `http-01` challenges. The challenge token follows the prefix. */
export const httpChallengePath = '/.well-known/acme-challenge/';

/** Returns the key authorization, which consists of the token and the account key thumbprint (RFC 8555 §8.1). */
export function keyAuthorization(token: string, jwk: Jwk): string {
  return `${token}.${thumbprint(jwk)}`;
}

/** Returns the SHA-256 digest of a key authorization. Certificates for `tls-alpn-01` contain this digest. */
function keyAuthorizationDigest(authorization: string): Buffer {
  return createHash('sha256').update(authorization).digest();
}

/** Returns the TXT record value for `dns-01`. */
export function dnsChallengeValue(authorization: string): string {
  return keyAuthorizationDigest(authorization).toString('base64url');
}

/** Returns the TXT record name for `dns-01`. */
export function dnsChallengeName(domain: string): string {
  return `_acme-challenge.${domain}`;
}

/** Returns the DER-encoded value of the `acmeIdentifier` extension: an octet string that contains the digest. */
export function acmeIdentifierValue(authorization: string): Buffer {
  return Buffer.concat([Buffer.from([0x04, 0x20]), keyAuthorizationDigest(authorization)]);
}
