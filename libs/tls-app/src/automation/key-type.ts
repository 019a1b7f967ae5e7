/** Private keys and certificate signing requests (CSRs). The crypto library is imported on demand. */
import { createPrivateKey, createPublicKey, generateKeyPair, webcrypto, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type * as X509 from '@peculiar/x509';

/** Generates a key pair of a configured type. Uses P-256 if the type is unknown. */
function makePair(keyType: string): Promise<{ privateKey: KeyObject }> {
  const generate = promisify(generateKeyPair);
  if (keyType === 'ed25519') return generate('ed25519', {});
  if (keyType === 'rsa2048') return generate('rsa', { modulusLength: 2048 });
  if (keyType === 'rsa4096') return generate('rsa', { modulusLength: 4096 });
  return generate('ec', { namedCurve: keyType === 'p384' ? 'P-384' : 'P-256' });
}

/** Supported key types. The first one is the default. */
export const keyTypes: readonly string[] = ['p256', 'p384', 'ed25519', 'rsa2048', 'rsa4096'];

/** Generates a private key in PEM format (PKCS#8). */
export async function makeKey(keyType: string): Promise<string> {
  const { privateKey } = await makePair(keyType);
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function isOfType(keyPem: string, keyType: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(keyPem);
    if (asymmetricKeyType === 'ec')
      return asymmetricKeyDetails?.namedCurve === (keyType === 'p384' ? 'secp384r1' : 'prime256v1');
    if (asymmetricKeyType === 'rsa') return keyType === `rsa${asymmetricKeyDetails?.modulusLength}`;
    return asymmetricKeyType === keyType;
  } catch {
    return false;
  }
}

let library: Promise<typeof X509> | null = null;

/**
 * TLS feature extension with status_request (RFC 7633 §4.1), also called must-staple. The certificate must be presented with a stapled OCSP
 * response.
 */
const mustStapleExtension = { oid: '1.3.6.1.5.5.7.1.24', value: Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x05) };

/** Creates a CSR (RFC 2986) in DER format. The CSR contains subject alternative names and an empty subject. */
export async function makeRequest(names: readonly string[], keyPem: string, mustStaple: boolean): Promise<Buffer> {
  const x509 = await (library ??= import('@peculiar/x509'));
  const key = createPrivateKey(keyPem);
  const algorithm = algorithmOf(key);
  const [privateKey, publicKey] = await Promise.all([
    imported('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, 'sign'),
    imported('spki', createPublicKey(key).export({ type: 'spki', format: 'der' }), algorithm, 'verify'),
  ]);
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      keys: { privateKey, publicKey },
      signingAlgorithm: algorithm as webcrypto.EcdsaParams,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
        ...(mustStaple ? [new x509.Extension(mustStapleExtension.oid, false, mustStapleExtension.value)] : []),
      ],
    },
    webcrypto,
  );
  return Buffer.from(request.rawData);
}

interface SigningAlgorithm {
  readonly name: string;
  readonly namedCurve?: string;
  readonly hash?: string;
}

function algorithmOf(key: KeyObject): SigningAlgorithm {
  if (key.asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const p384 = key.asymmetricKeyDetails?.namedCurve === 'secp384r1';
  return p384
    ? { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
    : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
}

function imported(
  format: 'pkcs8' | 'spki',
  der: Buffer,
  algorithm: SigningAlgorithm,
  usage: 'sign' | 'verify',
): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey(format, new Uint8Array(der), algorithm, true, [usage]);
}
