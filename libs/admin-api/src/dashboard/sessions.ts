/**
 * Sessions of the dashboard. `sluice ui` shows its token and gets a code; the page gives the code back, once and within a
 * minute, and gets a session, which may do what that token may, as long as that is in the configuration. So no token stands
 * in an address, in the history of a browser or in its storage.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Time that a code is valid, in milliseconds. */
export const codeLife = 60_000;

/** Longest time that a session lasts, in milliseconds. */
export const sessionLife = 12 * 3_600_000;

/** Codes, and sessions, of one token at most: beyond that the oldest of that token ends. */
const maxOfOwner = 50;

interface Held {
  /** Digest of the token, in hexadecimal. */
  readonly owner: string;
  /** The session that a code was made with, or whose code a session was opened with; `null` for those of the token itself. */
  readonly parent: string | null;
  readonly until: number;
}

export interface OpenedSession {
  readonly token: string;
  /** Milliseconds. */
  readonly expiresIn: number;
}

/**
 * The codes and sessions of an endpoint. They outlive configurations, not the process. What was made with a session ends with
 * it: when it signs out, and at its time.
 */
export class Sessions {
  readonly #codes = new Map<string, Held>();
  readonly #sessions = new Map<string, Held>();
  readonly #now: () => number;

  /** `now` gives milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a code for a client that has presented a token, or a session. */
  makeCode(presented: string): string {
    const key = digestOf(presented);
    const session = this.#find(this.#sessions, key);
    const until = Math.min(this.#now() + codeLife, session?.until ?? Number.POSITIVE_INFINITY);
    const held = { owner: session?.owner ?? key, parent: session === null ? null : key, until };
    return this.#keep(this.#codes, '', held);
  }

  /** Opens a session with a code, which then is used up; `null` for one that is invalid. */
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

  /** Ends a session, and all that was made with it. */
  end(presented: string): void {
    this.#drop(digestOf(presented));
  }

  /** The digest of the token that a session is of; `null` for what is not a session. */
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
