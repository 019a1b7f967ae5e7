/**
 * Nonces against replay (RFC 8555 §6.5). They carry their time and a mark of this process, so that those who only ask for
 * them cost no memory; the used ones are remembered for as long as they would be accepted.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a nonce can be used, in milliseconds. */
const lifetime = 3_600_000;
const timeLength = 6;
const randomLength = 10;
const markLength = 16;

/** Makes nonces, and takes each of them once. */
export class Nonces {
  readonly #secret = randomBytes(32);
  #used = new Set<string>();
  #usedBefore = new Set<string>();
  #turned = 0;

  /** A new nonce: base64url. */
  make(now: number = Date.now()): string {
    const head = Buffer.alloc(timeLength + randomLength);
    head.writeUIntBE(now, 0, timeLength);
    randomBytes(randomLength).copy(head, timeLength);
    return Buffer.concat([head, this.#mark(head)]).toString('base64url');
  }

  /** Whether {@link take} would take it. */
  isFresh(nonce: string, now: number = Date.now()): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== timeLength + randomLength + markLength || bytes.toString('base64url') !== nonce) return false;
    const head = bytes.subarray(0, timeLength + randomLength);
    if (!timingSafeEqual(bytes.subarray(head.length), this.#mark(head))) return false;
    const age = now - head.readUIntBE(0, timeLength);
    return age < lifetime && !this.#used.has(nonce) && !this.#usedBefore.has(nonce);
  }

  /** Uses a nonce up; false if it is not one of ours, too old, or used. */
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
