/**
 * Dashboard sessions. `sluice ui` sends its token and receives a one-time code. Within a minute, the page exchanges the code for a session.
 * The session has the rights of the token as long as the token is configured. Tokens therefore never appear in URLs, browser history, or
 * browser storage.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Lifetime of a one-time login code, in milliseconds. */
export const codeLife = 60_000;

/** Maximum lifetime of a session in milliseconds. */
export const sessionLife = 12 * 3_600_000;

/** Maximum number of login codes per token, and of sessions per token. A new code or session replaces the oldest one. */
const maxOfOwner = 50;

interface Held {
  /** Hexadecimal digest of the token that the code or session belongs to. */
  readonly owner: string;
  /** Session that created this code, or code that opened this session. `null` if a token created the code. */
  readonly parent: string | null;
  readonly until: number;
}

export interface OpenedSession {
  readonly token: string;
  /** Remaining session lifetime, in milliseconds. */
  readonly expiresIn: number;
}

/**
 * Login codes and dashboard sessions of an endpoint. They survive configuration reloads but not restarts. When a session expires or is
 * closed, all codes and sessions created from it are closed too.
 */
export class Sessions {
  readonly #codes = new Map<string, Held>();
  readonly #sessions = new Map<string, Held>();
  readonly #now: () => number;

  /** `now` returns a monotonic time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Creates a login code for a client that authenticated with a token or a session. */
  makeCode(presented: string): string {
    const key = digestOf(presented);
    const session = this.#find(this.#sessions, key);
    const until = Math.min(this.#now() + codeLife, session?.until ?? Number.POSITIVE_INFINITY);
    const held = { owner: session?.owner ?? key, parent: session === null ? null : key, until };
    return this.#keep(this.#codes, '', held);
  }

  /** Opens a session and consumes the login code. Returns `null` if the code is invalid. */
  open(code: string): OpenedSession | null {
    const key = digestOf(code);
    const held = this.#find(this.#codes, key);
    this.#codes.delete(key);
    if (held === null) return null;
    const { owner, parent } = held;
    const end = parent === null ? Number.POSITIVE_INFINITY : (this.#find(this.#sessions, parent)?.until ?? 0);
    const until = Math.min(this.#now() + sessionLife, end);
    if (until <= this.#now()) return null;
    const token = this.#keep(this.#sessions, 'sluice_session_', { owner, parent, until });
    return { token, expiresIn: until - this.#now() };
  }

  /** Closes a session, and all codes and sessions created from it. */
  end(presented: string): void {
    this.#drop(digestOf(presented));
  }

  /** Returns the token digest of a session. Returns `null` if the session is unknown. */
  ownerOf(presented: string): string | null {
    return this.#find(this.#sessions, digestOf(presented))?.owner ?? null;
  }

  #drop(key: string): void {
    this.#sessions.delete(key);
    for (const [code, { parent }] of this.#codes) if (parent === key) this.#codes.delete(code);
    for (const [session, { parent }] of this.#sessions) if (parent === key) this.#drop(session);
  }

  #find(all: Map<string, Held>, key: string): Held | null {
    const held = all.get(key);
    if (held === undefined) return null;
    if (held.until > this.#now()) return held;
    all.delete(key);
    return null;
  }

  #keep(all: Map<string, Held>, prefix: string, held: Held): string {
    const secret = `${prefix}${randomBytes(32).toString('base64url')}`;
    all.set(digestOf(secret), held);
    let oldest: string | null = null;
    let count = 0;
    for (const key of all.keys()) {
      if (this.#find(all, key)?.owner !== held.owner) continue;
      oldest ??= key;
      count++;
    }
    if (count > maxOfOwner && oldest !== null) {
      all.delete(oldest);
      if (all === this.#sessions) this.#drop(oldest);
    }
    return secret;
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
