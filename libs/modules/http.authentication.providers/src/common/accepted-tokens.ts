/** Cache of recently accepted tokens and cookies, which avoids verifying them for every request. */

interface Entry<T> {
  readonly value: T;
  /** Expiration time, in seconds since the Unix epoch. */
  readonly until: number;
}

/** Maximum age of a cache entry, in seconds. A token stays valid for up to this time after its key was removed from the key set. */
const maxAge = 60;
const capacity = 500;

/** Bounded cache of verification results. When full, it evicts the oldest token. */
export class AcceptedTokens<T> {
  readonly #tokens = new Map<string, Entry<T>>();

  find(token: string, now: number): T | null {
    const known = this.#tokens.get(token);
    if (known === undefined) return null;
    if (known.until > now) return known.value;
    this.#tokens.delete(token);
    return null;
  }

  add(token: string, value: T, now: number, expiry: number): void {
    if (this.#tokens.size >= capacity) this.#tokens.delete(this.#tokens.keys().next().value ?? '');
    this.#tokens.set(token, { value, until: Math.min(now + maxAge, expiry) });
  }

  delete(token: string): void {
    this.#tokens.delete(token);
  }
}
