/** What is the same on both sides of a challenge (RFC 8555 §8, RFC 8737). */
import { createHash } from 'node:crypto';
import { thumbprint, type Jwk } from './jwk.ts';

/** The challenges that both sides know. */
export type ChallengeType = 'http-01' | 'tls-alpn-01' | 'dns-01';

/** The protocol name that stands for `tls-alpn-01` in ALPN. */
export const acmeTlsProtocol = 'acme-tls/1';

/** Object identifier of the extension with the digest, in certificates for `tls-alpn-01`. */
export const acmeIdentifierOid = '1.3.6.1.5.5.7.1.31';

/** Where `http-01` looks, with the token after it. */
export const httpChallengePath = '/.well-known/acme-challenge/';

/** RFC 8555 §8.1: the token and the account's key. */
export function keyAuthorization(token: string, jwk: Jwk): string {
  return `${token}.${thumbprint(jwk)}`;
}

/** SHA-256 of a key authorization: what a certificate for `tls-alpn-01` holds. */
function keyAuthorizationDigest(authorization: string): Buffer {
  return createHash('sha256').update(authorization).digest();
}

/** The text of the TXT record for `dns-01`. */
export function dnsChallengeValue(authorization: string): string {
  return keyAuthorizationDigest(authorization).toString('base64url');
}

/** Name of the TXT record for `dns-01`. */
export function dnsChallengeName(domain: string): string {
  return `_acme-challenge.${domain}`;
}

/** DER of the extension's value: an octet string with the digest. */
export function acmeIdentifierValue(authorization: string): Buffer {
  return Buffer.concat([Buffer.from([0x04, 0x20]), keyAuthorizationDigest(authorization)]);
}
