/** Certificates for the `tls-alpn-01` challenge (RFC 8737 §3). */
import { generateKeyPair, randomBytes, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { acmeIdentifierOid, acmeIdentifierValue } from '../protocol/challenge.ts';
import type { Identifier } from '../protocol/problem.ts';

const day = 86_400_000;

/** A challenge certificate and its key, in PEM format. */
export interface ChallengeCertificate {
  readonly chain: string;
  readonly key: string;
}

/** Creates a certificate with a new key for one identifier. The certificate contains the SHA-256 digest of the key authorization. */
export async function challengeCertificate(
  { type, value }: Identifier,
  keyAuthorization: string,
): Promise<ChallengeCertificate> {
  // Import the library lazily: it is large, and `tls-alpn-01` is rarely used.
  const x509 = await import('@peculiar/x509');
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const name = new x509.Name([{ CN: ['ACME challenge'] }]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(8).toString('hex'),
    subject: name,
    issuer: name,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 7 * day),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: type === 'ip' ? 'ip' : 'dns', value }]),
      new x509.Extension(acmeIdentifierOid, true, acmeIdentifierValue(keyAuthorization)),
    ],
  });
  return {
    chain: `${certificate.toString('pem')}\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
