/**
 * Managed certificates in a storage, laid out as by the reference: `certificates/<issuer>/<name>/<name>.crt`, `.key` and
 * `.json`. What failed is kept beside, in `certificate_attempts/<name>.json`, so that a restart is no way around back-off.
 */
import { isObject, messageOf, type Json, type Logger, type Storage } from '@sluice/registry';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { safeName } from './safe-name.ts';

/** A certificate as it is stored. */
export interface StoredCertificate {
  readonly certificate: Certificate;
  /** What its issuer wants to be kept. */
  readonly data: Json;
}

/** Failures of a name. */
export interface Attempts {
  readonly count: number;
  /** When the next one is due, in milliseconds since 1970. */
  readonly next: number;
  readonly error: string;
  /** Who was asked; others need not wait. */
  readonly issuers: string;
}

/** Reads and writes the certificates of names. */
export class CertificateStore {
  readonly storage: Storage;
  readonly #log: Logger;

  constructor(storage: Storage, log: Logger) {
    this.storage = storage;
    this.#log = log;
  }

  /** The certificate of an issuer for a name, or `null` if there is none that can be used; what is wrong is logged. */
  async load(issuer: string, name: string): Promise<StoredCertificate | null> {
    const [chain, key, meta] = await Promise.all([
      this.storage.load(keyOf(issuer, name, 'crt')),
      this.storage.load(keyOf(issuer, name, 'key')),
      this.storage.load(keyOf(issuer, name, 'json')),
    ]);
    if (chain === null || key === null) {
      if (chain !== null) this.#complain(issuer, name, 'its private key is missing');
      return null;
    }
    try {
      const certificate = readCertificate(
        { chain: chain.toString(), key: key.toString() },
        { tags: [], source: keyOf(issuer, name, 'crt'), issuerKey: issuer },
      );
      if (!certificate.names.includes(name)) throw new Error(`it is for ${certificate.names.join(', ') || 'no name'}`);
      return { certificate, data: dataOf(meta) };
    } catch (error) {
      this.#complain(issuer, name, messageOf(error));
      return null;
    }
  }

  /** The private key of a name, or `null`. */
  async loadKey(issuer: string, name: string): Promise<string | null> {
    return (await this.storage.load(keyOf(issuer, name, 'key')))?.toString() ?? null;
  }

  /** Keeps a certificate. The key is first: a key without its certificate is replaced, the other way round is a loss. */
  async save(issuer: string, name: string, chain: string, key: string, data: Json): Promise<StoredCertificate> {
    const source = keyOf(issuer, name, 'crt');
    const certificate = readCertificate({ chain, key }, { tags: [], source, issuerKey: issuer });
    if (!certificate.names.includes(name))
      throw new Error(`the issuer has made a certificate for ${certificate.names.join(', ')} instead of ${name}`);
    await this.storage.store(keyOf(issuer, name, 'key'), key);
    await this.storage.store(source, chain);
    const meta = { sans: certificate.names, issuer_data: data };
    await this.storage.store(keyOf(issuer, name, 'json'), `${JSON.stringify(meta, null, '\t')}\n`);
    return { certificate, data };
  }

  /** Failures of a name so far, or `null`. */
  async attempts(name: string): Promise<Attempts | null> {
    try {
      const text = (await this.storage.load(attemptsKey(name)))?.toString();
      const value = text === undefined ? null : (JSON.parse(text) as Partial<Attempts>);
      if (typeof value?.count !== 'number' || typeof value.next !== 'number') return null;
      return { count: value.count, next: value.next, error: String(value.error), issuers: String(value.issuers) };
    } catch {
      return null;
    }
  }

  /** Keeps the failures of a name; `null` forgets them. */
  async setAttempts(name: string, attempts: Attempts | null): Promise<void> {
    if (attempts === null) await this.storage.delete(attemptsKey(name));
    else await this.storage.store(attemptsKey(name), `${JSON.stringify(attempts)}\n`);
  }

  #complain(issuer: string, name: string, reason: string): void {
    this.#log.error('a stored certificate can not be used and is obtained anew', {
      key: keyOf(issuer, name, 'crt'),
      error: reason,
    });
  }
}

/** Folder of all certificates. */
export const certificatesFolder = 'certificates';

function keyOf(issuer: string, name: string, kind: 'crt' | 'key' | 'json'): string {
  const safe = safeName(name);
  return `${certificatesFolder}/${safeName(issuer)}/${safe}/${safe}.${kind}`;
}

function attemptsKey(name: string): string {
  return `certificate_attempts/${safeName(name)}.json`;
}

function dataOf(meta: Buffer | null): Json {
  try {
    const value: unknown = meta === null ? null : JSON.parse(meta.toString());
    return isObject(value as Json) ? ((value as { issuer_data?: Json }).issuer_data ?? null) : null;
  } catch {
    return null;
  }
}
