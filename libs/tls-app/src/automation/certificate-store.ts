/**
 * Managed certificates in storage, in Caddy's layout: `certificates/<issuer>/<name>/<name>.crt`, `.key` and `.json`. A `.new` file exists
 * while they are being written. Failures are stored in `certificate_attempts/<name>.json`, so that a restart does not bypass the backoff.
 */
import { SluiceError, messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { writeUnder, type Storage, type StorageLock } from '@sluice/contracts';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { safeName } from '../safe-name.ts';

const task = taskOf('tls');

/** Maximum time, in milliseconds, to wait for a name's lock before completing an interrupted write. */
const completionTimeout = 120_000;

/** Record of failed attempts to obtain a certificate for a name. */
export interface Attempts {
  readonly count: number;
  /** Time of the next attempt, in milliseconds since the Unix epoch. */
  readonly next: number;
  readonly error: string;
  /** Key that identifies the issuers that failed. If the issuers change, the new ones are tried immediately. */
  readonly issuers: string;
}

export class CertificateStore {
  readonly storage: Storage;
  readonly #log: Logger;

  constructor(storage: Storage, log: Logger) {
    this.storage = storage;
    this.#log = log;
  }

  /**
   * Returns the stored certificate that an issuer issued for a name, or `null` if there is no usable one. Problems are logged. The `.json`
   * file is not read, because only other servers use it and there may be thousands of names. If the caller passes the name's `lock`, an
   * interrupted write is completed immediately. Otherwise, it is completed when the lock becomes free.
   */
  async load(issuer: string, name: string, lock: StorageLock | null = null): Promise<Certificate | null> {
    const [chain, key] = await Promise.all([
      this.storage.load(keyOf(issuer, name, 'crt')),
      this.storage.load(keyOf(issuer, name, 'key')),
    ]);
    if (chain === null && key === null) return this.#complete(issuer, name, lock);
    try {
      if (chain === null) throw new SluiceError('ERR_CERTIFICATE', 'private key has no certificate');
      if (key === null) throw new SluiceError('ERR_CERTIFICATE', 'certificate has no private key');
      return this.#read(issuer, name, chain.toString(), key.toString());
    } catch (error) {
      const completed = await this.#complete(issuer, name, lock);
      if (completed === null) this.#reportProblem(keyOf(issuer, name, 'crt'), messageOf(error));
      return completed;
    }
  }

  /** Returns the stored private key for a name, or `null` if there is none. */
  async loadKey(issuer: string, name: string): Promise<string | null> {
    return (await this.storage.load(keyOf(issuer, name, 'key')))?.toString() ?? null;
  }

  /** Acquires the lock for a name. The caller must hold it while obtaining and storing the certificate. */
  lock(name: string, signal: AbortSignal): Promise<StorageLock> {
    return this.storage.lock(`issue_cert_${name}`, { signal });
  }

  /**
   * Stores a certificate while its name is locked. If the storage supports transactions, one transaction writes all parts and verifies the
   * lock. A process that was suspended longer than the lock's lifetime therefore can't overwrite anything. If the storage doesn't support
   * transactions, a single file with all parts is written first, then each part under the lock. After an interruption, {@link load}
   * completes the write, so every key has its certificate.
   */
  async save(issuer: string, name: string, piece: Piece, lock: StorageLock): Promise<Certificate> {
    const { chain, key, data } = piece;
    const certificate = this.#read(issuer, name, chain, key);
    lock.lost.throwIfAborted();
    const meta = `${JSON.stringify({ sans: certificate.names, issuer_data: data }, null, '\t')}\n`;
    const parts = [
      [keyOf(issuer, name, 'key'), key],
      [keyOf(issuer, name, 'crt'), chain],
      [keyOf(issuer, name, 'json'), meta],
    ] as const;
    if (lock.write !== undefined) {
      await lock.write(new Map([...parts, [keyOf(issuer, name, 'new'), null]]));
      return certificate;
    }
    const pieces = [
      [keyOf(issuer, name, 'new'), JSON.stringify(piece)],
      ...parts,
      [keyOf(issuer, name, 'new'), null],
    ] as const;
    for (const [part, text] of pieces) await writeUnder(lock, this.storage, part, text);
    return certificate;
  }

  /** Returns the failed attempts for a name, or `null` if there are none. */
  async attempts(name: string): Promise<Attempts | null> {
    const text = (await this.storage.load(attemptsKey(name)))?.toString();
    if (text === undefined) return null;
    try {
      const { count, next, error, issuers } = JSON.parse(text) as Partial<Attempts>;
      if (typeof count !== 'number' || typeof next !== 'number')
        throw new SluiceError('ERR_CERTIFICATE', 'no failure times found');
      return { count, next, error: String(error), issuers: String(issuers) };
    } catch (error) {
      this.#log.warn('failed to read saved certificate issuance failures', {
        key: attemptsKey(name),
        error,
      });
      return null;
    }
  }

  /** Stores the failed attempts for a name. `null` deletes them. */
  async setAttempts(name: string, attempts: Attempts | null): Promise<void> {
    if (attempts === null) await this.storage.delete(attemptsKey(name));
    else await this.storage.store(attemptsKey(name), `${JSON.stringify(attempts)}\n`);
  }

  /** Parses a certificate and checks that it is valid for the name. */
  #read(issuer: string, name: string, chain: string, key: string): Certificate {
    const source = keyOf(issuer, name, 'crt');
    const certificate = readCertificate({ chain, key }, { tags: [], source, issuerKey: issuer });
    if (!certificate.names.includes(name))
      throw new SluiceError(
        'ERR_CERTIFICATE',
        `the certificate is valid for ${certificate.names.join(', ') || 'no name'} instead of ${name}`,
      );
    return certificate;
  }

  /** Completes a write that a crash interrupted. The write may also still be in progress in another process. */
  async #complete(issuer: string, name: string, lock: StorageLock | null): Promise<Certificate | null> {
    const source = keyOf(issuer, name, 'new');
    const text = await this.storage.load(source);
    if (text === null) return null;
    try {
      const { chain, key, data } = JSON.parse(text.toString()) as Piece;
      if (lock === null) {
        unawaited(task, this.#completeLater(issuer, name));
        return this.#read(issuer, name, chain, key);
      }
      const stored = await this.save(issuer, name, { chain, key, data }, lock);
      this.#log.info('recovered certificate from an interrupted write', { key: keyOf(issuer, name, 'crt') });
      return stored;
    } catch (error) {
      this.#reportProblem(source, messageOf(error));
      return null;
    }
  }

  /** Completes an interrupted write after acquiring the lock, because another process may still be writing. */
  async #completeLater(issuer: string, name: string): Promise<void> {
    try {
      const lock = await this.lock(name, AbortSignal.timeout(completionTimeout));
      try {
        await this.load(issuer, name, lock);
      } finally {
        await lock.release();
      }
    } catch (error) {
      this.#log.warn('failed to recover certificate from an interrupted write', {
        key: keyOf(issuer, name, 'crt'),
        error,
      });
    }
  }

  #reportProblem(key: string, reason: string): void {
    this.#log.error('stored certificate is invalid; obtaining a new one', { key, error: reason });
  }
}

interface Piece {
  readonly chain: string;
  readonly key: string;
  readonly data: Json;
}

/** Storage key prefix of all certificates. */
export const certificatesFolder = 'certificates';

function keyOf(issuer: string, name: string, kind: 'crt' | 'key' | 'json' | 'new'): string {
  const safe = safeName(name);
  return `${certificatesFolder}/${safeName(issuer)}/${safe}/${safe}.${kind}`;
}

function attemptsKey(name: string): string {
  return `certificate_attempts/${safeName(name)}.json`;
}
