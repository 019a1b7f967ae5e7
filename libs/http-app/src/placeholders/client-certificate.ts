/** Properties of a client certificate, each computed on first use. */
import { createHash, X509Certificate, type KeyObject } from 'node:crypto';
import { SocketAddress } from 'node:net';
import type { TlsInfo } from '@sluice/contracts';
import { derElements, oidOf, type DerElement } from './der.ts';
import { distinguishedName } from './distinguished-name.ts';

const explicitVersion = 0xa0;
const explicitExtensions = 0xa3;
const alternativeNames = '2.5.29.17';

/** ASN.1 tags of subject alternative name types (RFC 5280 §4.2.1.6). */
const nameKinds = { emails: 0x81, dns_names: 0x82, uris: 0x86, ips: 0x87 } as const;

/** A type of subject alternative name, as spelled in placeholders. */
export type NameKind = keyof typeof nameKinds;

const perConnection = new WeakMap<TlsInfo, ClientCertificate>();

/** Returns the client certificate of a connection, or `null` if the client presented none. */
export function clientCertificateOf(tls: TlsInfo): ClientCertificate | null {
  if (tls.clientCertificate === null) return null;
  let certificate = perConnection.get(tls);
  if (certificate === undefined) {
    certificate = new ClientCertificate(tls.clientCertificate);
    perConnection.set(tls, certificate);
  }
  return certificate;
}

/** The certificate that a client presented, in DER form. */
export class ClientCertificate {
  readonly #der: Buffer;
  readonly #texts = new Map<string, string>();
  #parsed: X509Certificate | null = null;
  #fields: readonly DerElement[] | null = null;
  #names: readonly DerElement[] | null = null;

  constructor(der: Buffer) {
    this.#der = der;
  }

  get fingerprint(): string {
    return this.#once('fingerprint', () => sha256(this.#der));
  }

  get fingerprintSha1(): string {
    return this.#once('fingerprint_sha1', () => createHash('sha1').update(this.#der).digest('hex'));
  }

  get publicKey(): string {
    return this.#once('public_key', () => publicKeyBytes(this.#certificate.publicKey).toString('hex'));
  }

  get publicKeySha256(): string {
    return this.#once('public_key_sha256', () => sha256(publicKeyBytes(this.#certificate.publicKey)));
  }

  get pem(): string {
    return this.#once('pem', () => this.#certificate.toString());
  }

  get derBase64(): string {
    return this.#once('der', () => this.#der.toString('base64'));
  }

  get serial(): string {
    return this.#once('serial', () => BigInt(`0x${this.#certificate.serialNumber}`).toString());
  }

  get serialHex(): string {
    return this.#once('serial_hex', () => this.#certificate.serialNumber);
  }

  get issuer(): string {
    return this.#once('issuer', () => distinguishedName(this.#field(2)));
  }

  get subject(): string {
    return this.#once('subject', () => distinguishedName(this.#field(4)));
  }

  /** Returns the subject alternative names of one type, in order. */
  alternativeNames(kind: NameKind): string[] {
    this.#names ??= this.#readNames();
    const tag = nameKinds[kind];
    return this.#names
      .filter((name) => name.tag === tag)
      .map(({ content }) => (kind === 'ips' ? addressOf(content) : content.toString('latin1')));
  }

  get #certificate(): X509Certificate {
    return (this.#parsed ??= new X509Certificate(this.#der));
  }

  get #toBeSigned(): readonly DerElement[] {
    return (this.#fields ??= readFields(this.#der));
  }

  #field(index: number): Buffer {
    return this.#toBeSigned[index]?.content ?? Buffer.alloc(0);
  }

  #readNames(): DerElement[] {
    const extensions = this.#toBeSigned.find(({ tag }) => tag === explicitExtensions);
    if (extensions === undefined) return [];
    for (const { content } of derElements(derElements(extensions.content)[0]?.content ?? Buffer.alloc(0))) {
      const parts = derElements(content);
      const value = parts.at(-1);
      if (value === undefined || oidOf(parts[0]?.content ?? Buffer.alloc(0)) !== alternativeNames) continue;
      return derElements(derElements(value.content)[0]?.content ?? Buffer.alloc(0));
    }
    return [];
  }

  #once(key: string, find: () => string): string {
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = find()));
    return text;
  }
}

function readFields(der: Buffer): DerElement[] {
  const certificate = derElements(der)[0]?.content ?? Buffer.alloc(0);
  const fields = derElements(derElements(certificate)[0]?.content ?? Buffer.alloc(0));
  return fields[0]?.tag === explicitVersion ? fields.slice(1) : fields;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the public key without the algorithm identifier: an uncompressed point, PKCS #1, or raw Ed25519 bytes. */
function publicKeyBytes(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'der' });
  const { x, y } = key.export({ format: 'jwk' });
  if (x === undefined) return Buffer.alloc(0);
  const first = Buffer.from(x, 'base64url');
  return y === undefined ? first : Buffer.concat([Buffer.from([4]), first, Buffer.from(y, 'base64url')]);
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}
