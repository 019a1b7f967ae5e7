/** Certificates that are served, with what is known of them. */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { SluiceError } from '@sluice/base';
import { responderOf } from './information-access.ts';
import { isPlainlyKeyOf } from './plain-key.ts';
import { normalName } from './names.ts';
import type { CertificatePair } from '../contracts/key-pair.ts';

/** Kind of the key of a certificate, as `certificate_selection.public_key_algorithm` and handshakes distinguish them. */
export type KeyKind = 'ecdsa' | 'ed25519' | 'rsa' | 'dsa';

/** A certificate with its key. Plain data: it is sent between threads, and never leaves the process. */
export interface Certificate extends CertificatePair {
  /** SHA-256 of the certificate, in hex; two of one hash are the same. */
  readonly hash: string;
  /** Names it is for, normal: host names, wildcards, IP addresses, mail addresses. */
  readonly names: readonly string[];
  readonly keyKind: KeyKind;
  /** Named curve of an ECDSA key, such as `prime256v1`; else empty. */
  readonly curve: string;
  /** In decimal. */
  readonly serial: string;
  readonly organizations: readonly string[];
  /** Distinguished names on one line. */
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly tags: readonly string[];
  /** Where it came from: a file, a key of a storage. */
  readonly source: string;
  /** Storage key of its issuer for one that is managed, else `null`. */
  readonly issuerKey: string | null;
  /** URL of the OCSP responder that it names, or empty. */
  readonly ocspResponder: string;
}

/** What is known of a certificate beside its texts. */
export interface Provenance {
  readonly tags: readonly string[];
  readonly source: string;
  readonly issuerKey: string | null;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a certificate. Throws if there is none, it can't be read, or the key is not its key. */
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

/** Certificates of authorities that could be read: those of one authority come with each that it has signed. */
const readable = new Set<string>();
const mostReadable = 64;

/** Throws where the certificate of an authority cannot be read. */
function checkIntermediate(pem: string): void {
  if (readable.has(pem)) return;
  void new X509Certificate(pem);
  if (readable.size === mostReadable) readable.clear();
  // A copy, since a part of a text keeps all of it.
  readable.add(Buffer.from(pem).toString());
}

function kindOf(type: string): KeyKind {
  if (type === 'ec') return 'ecdsa';
  if (type === 'rsa' || type === 'rsa-pss') return 'rsa';
  if (type === 'ed25519' || type === 'dsa') return type;
  throw new SluiceError('ERR_CERTIFICATE', `${type} keys are not supported for server certificates`);
}

const nameKinds: readonly string[] = ['DNS:', 'IP Address:', 'email:', 'URI:'];

/** Alternative names, and the common name, which old certificates have instead. */
function namesOf(alternative: string | undefined, subject: string | undefined): string[] {
  const names = new Set<string>();
  for (const entry of (alternative ?? '').split(', ')) {
    const kind = nameKinds.find((prefix) => entry.startsWith(prefix));
    if (kind !== undefined) names.add(plainName(entry.slice(kind.length), kind));
  }
  for (const name of attributesOf(subject, 'CN')) if (!name.includes(' ')) names.add(normalName(name));
  return [...names];
}

/** OpenSSL writes IPv6 addresses without `::`. */
function plainName(text: string, kind: string): string {
  if (kind !== 'IP Address:' || !text.includes(':')) return normalName(text);
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Values of one attribute of a name that OpenSSL has printed, an attribute to a line. */
function attributesOf(name: string | undefined, attribute: string): string[] {
  return (name ?? '')
    .split('\n')
    .filter((line) => line.startsWith(`${attribute}=`))
    .map((line) => line.slice(attribute.length + 1));
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').toReversed().join(',');
}
