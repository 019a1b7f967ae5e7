/** The files of an authority in its storage: `pki/authorities/<id>/root.crt`, `root.key`, `intermediate.crt`, `intermediate.key`. */
import { type Logger } from '@sluice/base';
import { safeSegment, writeUnder, type Storage, type StorageLock } from '@sluice/contracts';
import { parseKeyPair, type KeyPair } from '../certificates/key-pair.ts';
import type { MadeKeyPair } from '../certificates/make.ts';

/** Which of the two pairs. */
export type Part = 'root' | 'intermediate';

/** Reads and writes the pairs of one authority. */
export class KeyStore {
  readonly #storage: Storage;
  readonly #folder: string;
  readonly #id: string;
  readonly #log: Logger;
  /** Under which it writes. */
  readonly #lock: StorageLock | null;

  constructor(storage: Storage, id: string, log: Logger, lock: StorageLock | null = null) {
    this.#storage = storage;
    this.#folder = `pki/authorities/${safeSegment(id)}`;
    this.#id = id;
    this.#log = log;
    this.#lock = lock;
  }

  /** Where a certificate is kept, for messages. */
  keyOf(part: Part, kind: 'crt' | 'key'): string {
    return `${this.#folder}/${part}.${kind}`;
  }

  /** A pair, or `null` if there is none or what is there can't be used, which is then logged. */
  async load(part: Part): Promise<KeyPair | null> {
    const certificate = await this.#storage.load(this.keyOf(part, 'crt'));
    if (certificate === null) return null;
    const key = await this.#storage.load(this.keyOf(part, 'key'));
    try {
      return parseKeyPair(certificate.toString('utf8'), key);
    } catch (error) {
      this.#log.error('stored certificate or key is unusable', {
        key: this.keyOf(part, 'crt'),
        error,
      });
      return null;
    }
  }

  /** Keeps a pair: the key first, so that a certificate without its key means that someone took the key away. */
  async save(part: Part, { certificatePem, keyPem }: MadeKeyPair): Promise<void> {
    await this.#store(this.keyOf(part, 'key'), keyPem);
    await this.#store(this.keyOf(part, 'crt'), certificatePem);
  }

  /** Copies what is there, if anything, to names that end with `.old`, as it is about to be replaced. */
  async setAside(part: Part): Promise<void> {
    for (const kind of ['key', 'crt'] as const) {
      const value = await this.#storage.load(this.keyOf(part, kind));
      if (value !== null) await this.#store(`${this.keyOf(part, kind)}.old`, value);
    }
  }

  /** Runs something while no other process makes certificates of this authority; what is to be stored goes to what it is given. */
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
