/** Remembers which passwords fit which hashes, without keeping a password. */
import { createHmac, randomBytes } from 'node:crypto';

/** Most verdicts that are kept; the oldest goes first. */
const capacity = 1000;

/** A bounded memory of verdicts. Keys are digests under a key of this process. */
export class VerdictCache {
  readonly #key = randomBytes(32);
  readonly #verdicts = new Map<string, boolean>();

  /** The verdict on a password for a hash, if it is known. */
  get(hash: string, password: string): boolean | undefined {
    return this.#verdicts.get(this.#digest(hash, password));
  }

  /** Keeps a verdict. */
  set(hash: string, password: string, verdict: boolean): void {
    if (this.#verdicts.size >= capacity) this.#verdicts.delete(this.#verdicts.keys().next().value ?? '');
    this.#verdicts.set(this.#digest(hash, password), verdict);
  }

  #digest(hash: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${hash.length}:${hash}${password}`).digest('base64');
  }
}
