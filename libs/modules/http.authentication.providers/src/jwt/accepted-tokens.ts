/** Cache of recently accepted tokens, so that signatures aren't verified for each request. */
import type { User } from '@sluice/http-app';

/** A user, and the token's expiration time in seconds since 1970. */
export interface Accepted {
  readonly user: User;
  readonly until: number;
}

/** Maximum age of an entry, in seconds. A key that was removed from its set remains valid for this time. */
const maxAge = 60;
const capacity = 500;

/** Bounded cache; evicts the oldest token first. */
export class AcceptedTokens {
  readonly #tokens = new Map<string, Accepted>();

  find(token: string, now: number): User | null {
    const known = this.#tokens.get(token);
    if (known === undefined) return null;
    if (known.until > now) return known.user;
    this.#tokens.delete(token);
    return null;
  }

  /** Adds a token that expires at `expiry`. */
  add(token: string, user: User, now: number, expiry: number): void {
    if (this.#tokens.size >= capacity) this.#tokens.delete(this.#tokens.keys().next().value ?? '');
    this.#tokens.set(token, { user, until: Math.min(now + maxAge, expiry) });
  }
}
