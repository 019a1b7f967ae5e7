/** Address validation tokens for Retry packets and NEW_TOKEN frames (RFC 9000 §8.1). */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const macLength = 16;
/** Token lifetimes in milliseconds. */
const lifetime = { retry: 10_000, later: 24 * 3600 * 1000 } as const;

/** Content of a valid token. */
export interface TokenContent {
  /** Destination connection ID of the client's first Initial packet in a Retry token. `null` in a token from a NEW_TOKEN frame. */
  readonly originalDestination: Buffer | null;
}

/** Encrypts and decrypts address validation tokens. All threads and processes of a server share the key. */
export class AddressTokens {
  readonly #key: Buffer;
  readonly #now: () => number;

  /** `key` has 32 bytes. `now` returns wall-clock time in milliseconds, because tokens are also read by other processes. */
  constructor(key: Buffer, now: () => number = Date.now) {
    this.#key = key;
    this.#now = now;
  }

  /** Returns a token for an address. A token for later connections validates only the host, because the port may change. */
  seal(peer: string, originalDestination: Buffer | null): Buffer {
    const plain = Buffer.alloc(7 + (originalDestination?.length ?? 0));
    plain[0] = originalDestination === null ? 0 : 1;
    plain.writeUIntBE(this.#now(), 1, 6);
    originalDestination?.copy(plain, 7);
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    cipher.setAAD(Buffer.from(peer));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a token. Returns `null` if the token is invalid, expired, or issued for another address. */
  open(peer: string, token: Buffer): TokenContent | null {
    if (token.length < nonceLength + macLength + 7) return null;
    const decipher = createDecipheriv(algorithm, this.#key, token.subarray(0, nonceLength));
    decipher.setAAD(Buffer.from(peer));
    decipher.setAuthTag(token.subarray(token.length - macLength));
    let plain: Buffer;
    try {
      plain = Buffer.concat([decipher.update(token.subarray(nonceLength, token.length - macLength)), decipher.final()]);
    } catch {
      return null;
    }
    const isRetry = plain[0] === 1;
    const age = this.#now() - plain.readUIntBE(1, 6);
    if (age < 0 || age > (isRetry ? lifetime.retry : lifetime.later)) return null;
    return { originalDestination: isRetry ? plain.subarray(7) : null };
  }
}
