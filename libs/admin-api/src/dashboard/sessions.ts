/**
 * Sessions of the dashboard. `sluice ui` shows its token and gets a code; the page gives the code back, once and within a
 * minute, and gets a session, which may do what that token may, as long as that is in the configuration. So no token stands
 * in an address, in the history of a browser or in its storage.
 */
import { createHash, randomBytes } from 'node:crypto';

/** How long a code holds, in milliseconds. */
export const codeLife = 60_000;

/** How long a session lasts, in milliseconds. */
export const sessionLife = 12 * 3_600_000;

/** How many codes, and how many sessions, there are at most; older ones end. */
const most = 1000;

interface Held {
  /** Digest of the token, in hexadecimal. */
  readonly owner: string;
  readonly until: number;
}

/** The codes and sessions of an endpoint. They outlive configurations, not the process. */
export class Sessions {
  readonly #codes = new Map<string, Held>();
  readonly #sessions = new Map<string, Held>();
  readonly #now: () => number;

  /** `now` gives milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a code for who has shown a token, or a session. */
  makeCode(presented: string): string {
    return this.#keep(this.#codes, '', this.ownerOf(presented) ?? digestOf(presented), codeLife);
  }

  /** Makes a session of a code, which then is used up; `null` for one that does not hold. */
  open(code: string): string | null {
    const key = digestOf(code);
    const held = this.#find(this.#codes, key);
    this.#codes.delete(key);
    return held === null ? null : this.#keep(this.#sessions, 'sluice_session_', held.owner, sessionLife);
  }

  /** Ends a session. */
  end(presented: string): void {
    this.#sessions.delete(digestOf(presented));
  }

  /** The digest of the token that a session is of; `null` for what is not a session. */
  ownerOf(presented: string): string | null {
    return this.#find(this.#sessions, digestOf(presented))?.owner ?? null;
  }

  #find(all: Map<string, Held>, key: string): Held | null {
    const held = all.get(key);
    if (held === undefined) return null;
    if (held.until > this.#now()) return held;
    all.delete(key);
    return null;
  }

  #keep(all: Map<string, Held>, prefix: string, owner: string, life: number): string {
    const secret = `${prefix}${randomBytes(32).toString('base64url')}`;
    all.set(digestOf(secret), { owner, until: this.#now() + life });
    for (const key of all.keys()) {
      if (all.size <= most && this.#find(all, key) !== null) break;
      all.delete(key);
    }
    return secret;
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
