/**
 * Locks as objects that are only written on condition. One is held while its object has a token that changes at least each span; a token that stood
 * still for a whole span, by the clock of who waits, is over. An empty object is a free lock: so that a holder that is late removes nothing.
 */
import { randomUUID } from 'node:crypto';
import { RenewedLease } from '@sluice/store-clients';
import type { Condition, S3Client, S3Object } from './s3-client.ts';

/** The token of a lock's object, and the ETag it had when it was first seen so. */
interface Sight {
  readonly etag: string;
  readonly since: number;
}

/** Waits at one lock: what it has seen of who holds it. */
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

  /** Takes the lock, or returns `null` while another holds it. */
  async take(name: string): Promise<HeldS3Lock | null> {
    const condition = await this.#chance();
    if (condition === null) return null;
    const [token, asked] = [randomUUID(), performance.now()];
    const etag = await this.#client.put(this.#key, Buffer.from(`${token} 0`), condition);
    return etag === null
      ? null
      : new HeldS3Lock(this.#client, this.#key, { name, token, span: this.#span, asked, etag });
  }

  /** On which condition the lock may be taken now. */
  async #chance(): Promise<Condition | null> {
    const found = await this.#client.get(this.#key);
    if (found === null) return { absent: true };
    if (found.size === 0) return found;
    const now = performance.now();
    if (this.#sight?.etag !== found.etag) this.#sight = { etag: found.etag, since: now };
    return now - this.#sight.since > this.#span ? found : null;
  }
}

/** What was taken. */
interface Taken {
  readonly name: string;
  readonly token: string;
  readonly span: number;
  readonly asked: number;
  readonly etag: string;
}

/** A lock that is held. */
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

  /** Whether it is held now. */
  async isHeld(): Promise<boolean> {
    return !this.lease.lost.aborted && (await this.#ours()) !== null;
  }

  /** Also after a write whose response did not come: then the object is ours, and another than we know of. */
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
