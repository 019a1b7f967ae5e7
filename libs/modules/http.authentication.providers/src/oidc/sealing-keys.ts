/** Encrypts cookies with AES-256-GCM. The purpose of a cookie is authenticated as additional data. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

export interface Sealer {
  /** Encrypts a string for a purpose. It can only be decrypted for the same purpose. */
  seal(text: string, purpose: string): string;
  /** Decrypts a string. Returns `null` if no key matches, the purpose differs, or the string has been modified. */
  open(sealed: string, purpose: string): string | null;
}

/** Encrypts with the first key and decrypts with any key. */
export class SealingKeys implements Sealer {
  readonly #keys: readonly Buffer[];

  constructor(secrets: readonly (string | Buffer)[]) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'sluice oidc cookies', 32)));
  }

  seal(text: string, purpose: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#keys[0] ?? '', nonce, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(purpose));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  open(sealed: string, purpose: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceLength + tagLength) return null;
    const nonce = bytes.subarray(0, nonceLength);
    const end = bytes.length - tagLength;
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(end));
        const text = decipher.update(bytes.subarray(nonceLength, end));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        // Try the next key: this key is wrong, or the cookie was not created by this server.
      }
    }
    return null;
  }
}
