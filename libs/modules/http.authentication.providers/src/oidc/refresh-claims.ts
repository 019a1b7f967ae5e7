/**
 * Claims on refresh tokens, in memory that all threads share. A claim means that a thread is using the token or has recently used it. Many
 * providers replace a refresh token after use, and end the session if the old token is used again. Several threads may handle requests from
 * the same browser, so only one thread may use the token.
 */
import { createHash } from 'node:crypto';

/** Number of slots. A slot contains the hash of a token and the time of the claim, in seconds since the Unix epoch. */
const slots = 1024;
export const claimBytes: number = slots * 8;

/** Time after which a claim expires, in seconds. By then, the browser has received the new cookie, or the thread has died. */
const claimTime = 30n;

export class RefreshClaims {
  readonly #slots: BigUint64Array;

  /** `memory` must be {@link claimBytes} bytes long and filled with zeros. */
  constructor(memory: SharedArrayBuffer) {
    this.#slots = new BigUint64Array(memory);
  }

  /**
   * Claims a refresh token. Returns false if another thread has already claimed it. If a different token uses the same slot, its claim is
   * replaced.
   */
  claim(token: string): boolean {
    const { index, tag } = place(token);
    const now = BigInt(Math.floor(Date.now() / 1000));
    const known = Atomics.load(this.#slots, index);
    if (known >> 32n === tag && now - (known & 0xff_ff_ff_ffn) < claimTime) return false;
    return Atomics.compareExchange(this.#slots, index, known, (tag << 32n) | now) === known;
  }

  /** Releases the claim of this thread, so that the token can be used again. */
  release(token: string): void {
    const { index, tag } = place(token);
    const known = Atomics.load(this.#slots, index);
    if (known >> 32n === tag) Atomics.compareExchange(this.#slots, index, known, 0n);
  }
}

function place(token: string): { index: number; tag: bigint } {
  const hash = createHash('sha256').update(token).digest();
  return { index: hash.readUInt16LE(0) % slots, tag: BigInt(hash.readUInt32LE(4)) };
}
