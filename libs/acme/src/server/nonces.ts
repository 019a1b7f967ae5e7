/**
 * Replay protection (RFC 8555 §6.5). A nonce contains its creation time and a process ID, so unused nonces need no memory. Used nonces are
 * stored until they expire.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lifetime of a nonce, in milliseconds. */
const lifetime = 3_600_000;
const timeLength = 6;
const randomLength = 10;
const markLength = 16;

/** Issues nonces and accepts each nonce only once. */
export class Nonces {
  readonly #secret = randomBytes(32);
  #used = new Set<string>();
  #usedBefore = new Set<string>();
  #turned = 0;

  /** Returns a new nonce, base64url-encoded. */
  make(now: number = Date.now()): string {
    const head = Buffer.alloc(timeLength + randomLength);
    head.writeUIntBE(now, 0, timeLength);
    randomBytes(randomLength).copy(head, timeLength);
    return Buffer.concat([head, this.#mark(head)]).toString('base64url');
  }

  /** Reports whether {@link take} would accept the nonce. */
  isFresh(nonce: string, now: number = Date.now()): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== timeLength + randomLength + markLength || bytes.toString('base64url') !== nonce) return false;
    const head = bytes.subarray(0, timeLength + randomLength);
    if (!timingSafeEqual(bytes.subarray(head.length), this.#mark(head))) return false;
    const age = now - head.readUIntBE(0, timeLength);
    return age < lifetime && !this.#used.has(nonce) && !this.#usedBefore.has(nonce);
  }

  /** Consumes a nonce. Returns false if the nonce is invalid, expired or already used. */
  take(nonce: string, now: number = Date.now()): boolean {
    if (now - this.#turned >= lifetime) {
      this.#usedBefore = now - this.#turned >= 2 * lifetime ? new Set() : this.#used;
      this.#used = new Set();
      this.#turned = now;
    }
    if (!this.isFresh(nonce, now)) return false;
    this.#used.add(nonce);
    return true;
  }

  #mark(head: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(head).digest().subarray(0, markLength);
  }
}
