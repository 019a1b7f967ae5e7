/** Keys that verify token signatures: a configured key, or a key set that is fetched (RFC 7517). */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { valueError } from '@sluice/base';
import { ResourcePool, type Pooled } from '@sluice/registry';
import { createRemoteJWKSet, type CryptoKey, type FlattenedJWSInput, type JWK, type JWSHeaderParameters } from 'jose';

/** Key types that the `jose` library accepts. */
export type VerificationKey = KeyObject | CryptoKey | JWK | Uint8Array;

/** Finds the key for a token header. Rejects if there is no matching key or the key set cannot be fetched. */
export type FindKey = (
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
) => VerificationKey | Promise<VerificationKey>;

/** Signature algorithms by key type (RFC 7518 §3.1, RFC 8037, RFC 9864). */
const algorithms = {
  secret: ['HS256', 'HS384', 'HS512'],
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
} as const;

/** All public key algorithms. A key set can use any of them. */
export const publicAlgorithms: readonly string[] = Object.entries(algorithms).flatMap(([kind, names]) =>
  kind === 'secret' ? [] : names,
);

export const knownAlgorithms: readonly string[] = Object.values(algorithms).flat();

/** Elliptic curves by OpenSSL name. */
const curves: Readonly<Record<string, 'P-256' | 'P-384' | 'P-521'>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/** A configured key and the algorithms that it supports. */
export interface StaticKey {
  readonly key: KeyObject;
  readonly algorithms: readonly string[];
}

/** Parses a public key in PEM format or a base64 secret. Error messages do not contain the key. */
export function readKey(text: string): StaticKey {
  if (!text.includes('-----BEGIN')) {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length === 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text))
      throw valueError('must be a base64-encoded secret, or a public key in PEM format');
    return { key: createSecretKey(bytes), algorithms: algorithms.secret };
  }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw valueError('is a private key: use its public key');
  let key: KeyObject;
  try {
    key = createPublicKey(text);
  } catch (cause) {
    throw valueError('is not a valid public key in PEM format', cause);
  }
  const kind =
    key.asymmetricKeyType === 'ec' ? curves[key.asymmetricKeyDetails?.namedCurve ?? ''] : key.asymmetricKeyType;
  if (kind !== 'rsa' && kind !== 'ed25519' && kind !== 'P-256' && kind !== 'P-384' && kind !== 'P-521')
    throw valueError(`is an unsupported key type: ${key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType}`);
  return { key, algorithms: algorithms[kind] };
}

/** Maximum age of a key set, in milliseconds. It is also the minimum interval between fetches that unknown keys trigger. */
const maxAge = 600_000;
const cooldown = 30_000;
const timeout = 5000;

/** A key set, fetched when the first token arrives. It is fetched again when it is outdated or does not contain the key of a token. */
export class KeySet implements Pooled {
  readonly find: FindKey;

  constructor(url: URL) {
    this.find = createRemoteJWKSet(url, {
      cacheMaxAge: maxAge,
      cooldownDuration: cooldown,
      timeoutDuration: timeout,
    });
  }

  close(): void {}
}

/** Key sets of this thread, by URL. A key set that is still in use survives configuration changes. */
export const keySets: ResourcePool<KeySet> = new ResourcePool();
