/** Parses certificates that the server presents, with their metadata. */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { SluiceError } from '@sluice/base';
import { responderOf } from './information-access.ts';
import { isPlainlyKeyOf } from './plain-key.ts';
import { normalName } from './names.ts';
import type { CertificatePair } from '../contracts/key-pair.ts';

export type KeyKind = 'ecdsa' | 'ed25519' | 'rsa' | 'dsa';

/** A certificate with its private key, as plain data that threads exchange. The private key never leaves the process. */
export interface Certificate extends CertificatePair {
  /** SHA-256 fingerprint of the certificate in hexadecimal, which identifies the certificate. */
  readonly hash: string;
  /** Normalized names: host names, wildcards, IP addresses, email addresses. */
  readonly names: readonly string[];
  readonly keyKind: KeyKind;
  /** Named curve of an ECDSA key, such as `prime256v1`. Empty for other key types. */
  readonly curve: string;
  /** Decimal serial number. */
  readonly serial: string;
  readonly organizations: readonly string[];
  /** Distinguished names, each on a single line. */
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly tags: readonly string[];
  /** Source of the certificate: a file or a storage key. */
  readonly source: string;
  /** Storage key of the issuer of a managed certificate. `null` for other certificates. */
  readonly issuerKey: string | null;
  /** OCSP responder URL in the certificate. Empty if there is none. */
  readonly ocspResponder: string;
}

/** Origin of a certificate: its tags, source and issuer. */
export interface Provenance {
  readonly tags: readonly string[];
  readonly source: string;
  readonly issuerKey: string | null;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Parses a certificate chain and private key. Throws if there is no certificate, a certificate is invalid, or the key does not match. */
export function readCertificate({ chain, key }: CertificatePair, { tags, source, issuerKey }: Provenance): Certificate {
  const [first, ...rest] = chain.match(block) ?? [];
  if (first === undefined) throw new SluiceError('ERR_CERTIFICATE', `${source}: no PEM certificate found`);
  const leaf = new X509Certificate(first);
  for (const pem of rest) checkIntermediate(pem);
  if (!isPlainlyKeyOf(leaf, key) && !leaf.checkPrivateKey(createPrivateKey(key)))
    throw new SluiceError('ERR_CERTIFICATE', `${source}: private key does not match the certificate`);
  const { subject, issuer, subjectAltName, serialNumber, raw, validFromDate, validToDate } = leaf;
  const { asymmetricKeyType = '', asymmetricKeyDetails } = leaf.publicKey;
  return {
    chain,
    key,
    hash: createHash('sha256').update(raw).digest('hex'),
    names: namesOf(subjectAltName, subject),
    keyKind: kindOf(asymmetricKeyType),
    curve: asymmetricKeyDetails?.namedCurve ?? '',
    serial: BigInt(`0x${serialNumber}`).toString(),
    organizations: attributesOf(subject, 'O'),
    subject: oneLine(subject),
    issuer: oneLine(issuer),
    notBefore: validFromDate.getTime(),
    notAfter: validToDate.getTime(),
    tags,
    source,
    issuerKey,
    ocspResponder: responderOf(leaf),
  };
}

/** Cache of intermediates that were parsed successfully. The same intermediate accompanies many certificates. */
const readable = new Set<string>();
const maxReadable = 64;

/** Throws if an intermediate certificate cannot be parsed. */
function checkIntermediate(pem: string): void {
  if (readable.has(pem)) return;
  void new X509Certificate(pem);
  if (readable.size === maxReadable) readable.clear();
  // Copy the string. A substring would keep the whole original string in memory.
  readable.add(Buffer.from(pem).toString());
}

function kindOf(type: string): KeyKind {
  if (type === 'ec') return 'ecdsa';
  if (type === 'rsa' || type === 'rsa-pss') return 'rsa';
  if (type === 'ed25519' || type === 'dsa') return type;
  throw new SluiceError('ERR_CERTIFICATE', `${type} keys are not supported for server certificates`);
}

const nameKinds: readonly string[] = ['DNS:', 'IP Address:', 'email:', 'URI:'];

/** Returns the subject alternative names and the common name. Old certificates only have a common name. */
function namesOf(alternative: string | undefined, subject: string | undefined): string[] {
  const names = new Set<string>();
  for (const entry of (alternative ?? '').split(', ')) {
    const kind = nameKinds.find((prefix) => entry.startsWith(prefix));
    if (kind !== undefined) names.add(plainName(entry.slice(kind.length), kind));
  }
  for (const name of attributesOf(subject, 'CN')) if (!name.includes(' ')) names.add(normalName(name));
  return [...names];
}

/** Normalizes a name from OpenSSL's output. OpenSSL prints IPv6 addresses without `::`. */
function plainName(text: string, kind: string): string {
  if (kind !== 'IP Address:' || !text.includes(':')) return normalName(text);
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Returns the values of an attribute in a distinguished name. OpenSSL prints one attribute per line. */
function attributesOf(name: string | undefined, attribute: string): string[] {
  return (name ?? '')
    .split('\n')
    .filter((line) => line.startsWith(`${attribute}=`))
    .map((line) => line.slice(attribute.length + 1));
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').toReversed().join(',');
}
