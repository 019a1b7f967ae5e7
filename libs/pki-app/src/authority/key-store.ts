/** Files of a CA in storage: `pki/authorities/<id>/root.crt`, `root.key`, `intermediate.crt`, `intermediate.key`. */
import { type Logger } from '@sluice/base';
import { safeSegment, writeUnder, type Storage, type StorageLock } from '@sluice/contracts';
import { parseKeyPair, type KeyPair } from '../certificates/key-pair.ts';
import type { MadeKeyPair } from '../certificates/make.ts';

export type Part = 'root' | 'intermediate';

/** Loads and stores the key pairs of a CA. */
export class KeyStore {
  readonly #storage: Storage;
  readonly #folder: string;
  readonly #id: string;
  readonly #log: Logger;
  /** Storage lock. Required for writing. */
  readonly #lock: StorageLock | null;

  constructor(storage: Storage, id: string, log: Logger, lock: StorageLock | null = null) {
    this.#storage = storage;
    this.#folder = `pki/authorities/${safeSegment(id)}`;
    this.#id = id;
    this.#log = log;
    this.#lock = lock;
  }

  /** Returns the storage key of a certificate or private key, for use in messages. */
  keyOf(part: Part, kind: 'crt' | 'key'): string {
    return `${this.#folder}/${part}.${kind}`;
  }

  /** Loads a key pair. Returns `null` if the pair is missing or unusable. An unusable pair is logged. */
  async load(part: Part): Promise<KeyPair | null> {
    const certificate = await this.#storage.load(this.keyOf(part, 'crt'));
    if (certificate === null) return null;
    const key = await this.#storage.load(this.keyOf(part, 'key'));
    try {
      return parseKeyPair(certificate.toString('utf8'), key);
    } catch (error) {
      this.#log.error('stored CA certificate or key is invalid', {
        key: this.keyOf(part, 'crt'),
        error,
      });
      return null;
    }
  }

  /**
   * Stores a key pair, starting with the private key. A certificate without a key therefore means that someone removed the key
   * intentionally.
   */
  async save(part: Part, { certificatePem, keyPem }: MadeKeyPair): Promise<void> {
    await this.#store(this.keyOf(part, 'key'), keyPem);
    await this.#store(this.keyOf(part, 'crt'), certificatePem);
  }

  /** Copies existing files to names that end with `.old` before the files are replaced. */
  async backUp(part: Part): Promise<void> {
    for (const kind of ['key', 'crt'] as const) {
      const value = await this.#storage.load(this.keyOf(part, kind));
      if (value !== null) await this.#store(`${this.keyOf(part, kind)}.old`, value);
    }
  }

  /** Runs a task while no other process can create certificates for this CA. The task must write through the store that is passed to it. */
  async exclusive<T>(task: (store: KeyStore) => Promise<T>): Promise<T> {
    const lock = await this.#storage.lock(this.#folder);
    try {
      return await task(new KeyStore(this.#storage, this.#id, this.#log, lock));
    } finally {
      await lock.release();
    }
  }

  #store(key: string, value: Buffer | string): Promise<void> {
    return this.#lock === null ? this.#storage.store(key, value) : writeUnder(this.#lock, this.#storage, key, value);
  }
}
