/**
 * Refresh tokens that a thread of this process is using or has recently used, in memory shared by all threads.
 * Many providers replace a refresh token after use, and end the session if the old one is used again. Requests from one
 * browser may be handled by several threads, so only one thread may use the token.
 */
import { createHash } from 'node:crypto';

/** Each slot contains the token's hash and the time of the claim, in seconds since 1970. */
const slots = 1024;
export const claimBytes: number = slots * 8;

/** Time after which a claim expires, in seconds. By then, the browser has the new cookie, or the thread has died. */
const claimTime = 30n;

export class RefreshClaims {
  readonly #slots: BigUint64Array;

  /** `memory` has {@link claimBytes} bytes, all zero. */
  constructor(memory: SharedArrayBuffer) {
    this.#slots = new BigUint64Array(memory);
  }

  /** Claims a token. Returns false if another thread has claimed it. A token with the same slot replaces the claim. */
  claim(token: string): boolean {
    const { index, tag } = place(token);
    const now = BigInt(Math.floor(Date.now() / 1000));
    const known = Atomics.load(this.#slots, index);
    if (known >> 32n === tag && now - (known & 0xff_ff_ff_ffn) < claimTime) return false;
    return Atomics.compareExchange(this.#slots, index, known, (tag << 32n) | now) === known;
  }

  /** Releases this thread's claim, so that the token can be used again. */
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
