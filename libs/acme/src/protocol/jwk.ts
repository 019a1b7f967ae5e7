import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AcmeError } from './acme-error.ts';
import { problem } from './problem.ts';

/** A public key as a JWK (elliptic curve, RSA, or Ed25519). Contains only the members that the thumbprint covers. */
export type Jwk =
  | { readonly crv: string; readonly kty: 'EC'; readonly x: string; readonly y: string }
  | { readonly e: string; readonly kty: 'RSA'; readonly n: string }
  | { readonly crv: string; readonly kty: 'OKP'; readonly x: string };

/** Returns the public key as a JWK. */
export function jwkOf(key: KeyObject): Jwk {
  const exported = key.export({ format: 'jwk' });
  const { kty, crv = '', x = '', y = '', e = '', n = '' } = exported;
  switch (kty) {
    case 'EC':
      return { crv, kty, x, y };
    case 'RSA':
      return { e, kty, n };
    case 'OKP':
      return { crv, kty, x };
    default:
      throw new AcmeError('ERR_ACME_AUTHORITY', `key type ${JSON.stringify(kty)} is not supported for ACME accounts`);
  }
}

/** Parses a JWK sent by a client. Throws a problem of type `badPublicKey` if the key is unusable. */
export function readJwk(value: unknown): { readonly jwk: Jwk; readonly key: KeyObject } {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: value as never, format: 'jwk' });
  } catch (error) {
    throw problem('badPublicKey', `invalid public key: ${(error as Error).message}`);
  }
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < 2048 || bits > 8192) throw problem('badPublicKey', `RSA keys must have 2048 to 8192 bits, not ${bits}`);
  }
  return { jwk: jwkOf(key), key };
}

/** Returns the JWK thumbprint (RFC 7638): the base64url-encoded SHA-256 digest of the members in alphabetical order. */
export function thumbprint(jwk: Jwk): string {
  const members =
    jwk.kty === 'RSA'
      ? { e: jwk.e, kty: jwk.kty, n: jwk.n }
      : jwk.kty === 'EC'
        ? { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }
        : { crv: jwk.crv, kty: jwk.kty, x: jwk.x };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
