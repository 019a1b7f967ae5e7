/**
 * Locks as S3 objects with conditional writes. An owner must change the lock's token at least once per lease duration. A waiting process
 * takes over the lock if the token does not change for a full lease duration, measured by its own clock. A released lock is an empty
 * object. Objects are never deleted, so a late owner cannot delete another owner's lock.
 */
import { randomUUID } from 'node:crypto';
import { RenewedLease } from '@sluice/store-clients';
import type { Condition, S3Client, S3Object } from './s3-client.ts';

/** Token and ETag of a lock object, and the time when they were first observed. */
interface Sight {
  readonly etag: string;
  readonly since: number;
}

/** State of waiting for a lock: the last observed token, and the time when it was first observed. */
export class S3LockSeeker {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #span: number;
  #sight: Sight | null = null;

  constructor(client: S3Client, key: string, span: number) {
    this.#client = client;
    this.#key = key;
    this.#span = span;
  }

  /** Tries to acquire the lock. Returns `null` if another process owns it. */
  async take(name: string): Promise<HeldS3Lock | null> {
    const condition = await this.#chance();
    if (condition === null) return null;
    const [token, asked] = [randomUUID(), performance.now()];
    const etag = await this.#client.put(this.#key, Buffer.from(`${token} 0`), condition);
    return etag === null
      ? null
      : new HeldS3Lock(this.#client, this.#key, { name, token, span: this.#span, asked, etag });
  }

  /** Returns the write condition for acquiring the lock. Returns `null` if the lock cannot be acquired now. */
  async #chance(): Promise<Condition | null> {
    const found = await this.#client.get(this.#key);
    if (found === null) return { absent: true };
    if (found.size === 0) return found;
    const now = performance.now();
    if (this.#sight?.etag !== found.etag) this.#sight = { etag: found.etag, since: now };
    return now - this.#sight.since > this.#span ? found : null;
  }
}

interface Taken {
  readonly name: string;
  readonly token: string;
  readonly span: number;
  readonly asked: number;
  readonly etag: string;
}

export class HeldS3Lock {
  readonly lease: RenewedLease;
  readonly #client: S3Client;
  readonly #key: string;
  #etag: string;
  #renewals = 0;

  constructor(client: S3Client, key: string, { etag, ...terms }: Taken) {
    this.#client = client;
    this.#key = key;
    this.#etag = etag;
    this.lease = new RenewedLease(terms, {
      renew: () => this.#write(`${terms.token} ${++this.#renewals}`),
      release: async () => void (await this.#write('')),
    });
  }

  async isHeld(): Promise<boolean> {
    return !this.lease.lost.aborted && (await this.#ours()) !== null;
  }

  /**
   * Writes the lock object. If the response to an earlier write was lost, the object already contains this owner's token, but its ETag is
   * unknown.
   */
  async #write(text: string): Promise<boolean> {
    for (let tried = 0; tried < 2; tried++) {
      const etag = await this.#client.put(this.#key, Buffer.from(text), { etag: this.#etag });
      if (etag !== null) {
        this.#etag = etag;
        return true;
      }
      const found = await this.#ours();
      if (found === null) return false;
      this.#etag = found.etag;
    }
    return false;
  }

  async #ours(): Promise<S3Object | null> {
    const found = await this.#client.get(this.#key);
    return found?.body.toString().startsWith(`${this.lease.token} `) === true ? found : null;
  }
}
