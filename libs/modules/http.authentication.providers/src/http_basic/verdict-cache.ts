/** Cache for password verification results. It does not store the passwords. */
import { createHmac, randomBytes } from 'node:crypto';

/** Maximum number of cached results. The oldest result is evicted first. */
const capacity = 1000;

/** Bounded cache of verification results. The cache keys are HMACs with a random key of this process. */
export class VerdictCache {
  readonly #key = randomBytes(32);
  readonly #verdicts = new Map<string, boolean>();

  /** Returns the cached result for a password and its hash, or undefined if there is none. */
  get(hash: string, password: string): boolean | undefined {
    return this.#verdicts.get(this.#digest(hash, password));
  }

  set(hash: string, password: string, verdict: boolean): void {
    if (this.#verdicts.size >= capacity) this.#verdicts.delete(this.#verdicts.keys().next().value ?? '');
    this.#verdicts.set(this.#digest(hash, password), verdict);
  }

  #digest(hash: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${hash.length}:${hash}${password}`).digest('base64');
  }
}
