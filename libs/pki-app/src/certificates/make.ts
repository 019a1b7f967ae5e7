/** Creates certificates. The large X.509 library is loaded only when needed. */
import { generateKeyPair, randomBytes, webcrypto, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type * as X509 from '@peculiar/x509';
import { SluiceError } from '@sluice/base';
import { parseKeyPair, validityOf, type KeyPair } from './key-pair.ts';
import { generalName } from './general-name.ts';

export interface AuthorityCertificateRequest {
  readonly commonName: string;
  /** Lifetime in milliseconds. */
  readonly lifetime: number;
  /** Issuer of the certificate; `null` for a root. */
  readonly issuer: KeyPair | null;
}

/** Request to create a server or client certificate. */
export interface LeafRequest {
  /** Public key as SubjectPublicKeyInfo in DER format. */
  readonly publicKey: Buffer;
  readonly names: readonly string[];
  /** Certificate lifetime in milliseconds. The certificate never outlives its issuer. */
  readonly lifetime: number;
  readonly issuer: KeyPair;
}

/** A new certificate with its private key, both in PEM format. */
export interface MadeKeyPair {
  readonly pair: KeyPair;
  readonly certificatePem: string;
  /** Private key in SEC 1 format (`EC PRIVATE KEY`). */
  readonly keyPem: string;
}

/** Time by which certificates are backdated, in milliseconds. This allows for clients with slightly slow clocks. */
const backdated = 60_000;

let library: Promise<typeof X509> | null = null;

function load(): Promise<typeof X509> {
  library ??= import('@peculiar/x509');
  return library;
}

/**
 * Creates a root or intermediate certificate with a new P-256 key. The certificate has key identifiers and critical constraints (RFC 5280
 * §4.2).
 */
export async function makeAuthorityCertificate(request: AuthorityCertificateRequest): Promise<MadeKeyPair> {
  const x509 = await load();
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const subject = new x509.Name([{ CN: [directoryString(request.commonName)] }]);
  const { issuer } = request;
  const notBefore = new Date(Date.now());
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: issuer === null ? subject : issuerOf(x509, issuer).subjectName,
    notBefore,
    notAfter: cut(notBefore.getTime() + request.lifetime, issuer),
    publicKey: spki,
    ...(await signWith(issuer?.key ?? privateKey)),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.BasicConstraintsExtension(true, issuer === null ? 1 : 0, true),
      await x509.SubjectKeyIdentifierExtension.create(spki),
      ...(issuer === null ? [] : [await authorityKey(x509, issuer)]),
    ],
  });
  const certificatePem = `${certificate.toString('pem')}\n`;
  const keyPem = privateKey.export({ type: 'sec1', format: 'pem' });
  return { pair: parseKeyPair(certificatePem, keyPem), certificatePem, keyPem };
}

/** Creates a certificate without a subject and with critical subject alternative names. Returns PEM that ends with a line feed. */
export async function makeLeaf({ publicKey, names, lifetime, issuer }: LeafRequest): Promise<string> {
  const x509 = await load();
  if (issuer.key === null) throw new SluiceError('ERR_CERTIFICATE', 'the issuer has no private key');
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [],
    issuer: issuerOf(x509, issuer).subjectName,
    notBefore: new Date(Math.max(now - backdated, validityOf(issuer.certificate).from)),
    notAfter: cut(now + lifetime, issuer),
    publicKey,
    ...(await signWith(issuer.key)),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await authorityKey(x509, issuer),
      new x509.SubjectAlternativeNameExtension(names.map(generalName), true),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** Returns the public key of a CSR in PEM or DER format, as SubjectPublicKeyInfo in DER format. The CSR must have a valid signature. */
export async function publicKeyOfRequest(csr: string | Buffer): Promise<Buffer> {
  const x509 = await load();
  const request = new x509.Pkcs10CertificateRequest(csr);
  if (!(await request.verify()))
    throw new SluiceError('ERR_CERTIFICATE', 'the signature of the certificate request is invalid');
  return Buffer.from(request.publicKey.rawData);
}

/** Returns a typed string (RFC 5280 §4.1.2.4). In a plain string, the library would interpret escapes and quotes. */
function directoryString(text: string): X509.JsonAttributeObject {
  return /^[A-Za-z0-9 '()+,./:=?-]+$/.test(text) ? { printableString: text } : { utf8String: text };
}

/** Returns a random 126-bit serial number, which is positive and sufficiently unique (RFC 5280 §4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/**
 * Returns the expiration time, limited to that of the issuer, because a certificate must not outlive its issuer. Certificate times have a
 * resolution of one second.
 */
function cut(notAfter: number, issuer: KeyPair | null): Date {
  return new Date(issuer === null ? notAfter : Math.min(notAfter, validityOf(issuer.certificate).to));
}

function issuerOf(x509: typeof X509, { certificate }: KeyPair): X509.X509Certificate {
  return new x509.X509Certificate(certificate.raw);
}

/** Returns the key identifier from the issuer's certificate, which may differ from the default hash. */
async function authorityKey(x509: typeof X509, issuer: KeyPair): Promise<X509.AuthorityKeyIdentifierExtension> {
  const certificate = issuerOf(x509, issuer);
  const identifier = certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  return identifier === undefined
    ? await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey)
    : new x509.AuthorityKeyIdentifierExtension(identifier);
}

const curves: Readonly<Record<string, readonly [curve: string, hash: string]>> = {
  prime256v1: ['P-256', 'SHA-256'],
  secp384r1: ['P-384', 'SHA-384'],
  secp521r1: ['P-521', 'SHA-512'],
};

async function signWith(key: KeyObject): Promise<{
  readonly signingKey: webcrypto.CryptoKey;
  readonly signingAlgorithm: { readonly name: string; readonly hash: string };
}> {
  const [curve, hash] = curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? ['', 'SHA-256'];
  const name = { ec: 'ECDSA', rsa: 'RSASSA-PKCS1-v1_5', ed25519: 'Ed25519' }[key.asymmetricKeyType as string];
  if (name === undefined || (name === 'ECDSA' && curve === ''))
    throw new SluiceError(
      'ERR_CERTIFICATE',
      `key type ${key.asymmetricKeyType ?? 'unknown'} is not supported for signing certificates`,
    );
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, { name, namedCurve: curve, hash }, false, ['sign']);
  return { signingKey, signingAlgorithm: { name, hash } };
}
