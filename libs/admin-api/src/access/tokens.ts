/**
 * Bearer tokens (RFC 6750). A token has 256 random bits, so a single round of SHA-256 suffices for storing it: slow hashes only protect
 * guessable secrets.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SluiceError } from '@sluice/base';
import type { Access, Refusal } from './access.ts';
import { Sessions } from '../dashboard/sessions.ts';
import { Authority, type PermissionOptions } from './authority.ts';

/** A token as configured. */
export interface TokenOptions {
  readonly name?: string | null | undefined;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash?: string | null | undefined;
  /** Expiration time (RFC 3339). Absent: never. */
  readonly expires?: string | null | undefined;
  /** Any match allows the request; without the key, everything is allowed. */
  readonly permissions?: readonly PermissionOptions[] | null | undefined;
}

/** A new token and its configuration entry. */
export interface NewToken {
  readonly token: string;
  readonly hash: string;
}

interface Token {
  readonly digest: Buffer;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly authority: Authority;
}

/** Creates a token: `sluice_` and 43 characters. */
export function createToken(): NewToken {
  const token = `sluice_${randomBytes(32).toString('base64url')}`;
  return { token, hash: `sha256:${digestOf(token).toString('hex')}` };
}

/** Returns the bearer token of a request; `null` if absent. */
export function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Authenticates clients by token. */
export class TokenAccess implements Access {
  readonly readsAuthorization = true;
  readonly #tokens: readonly Token[];
  readonly #sessions: Sessions;

  /**
   * `sessions` of the endpoint have the rights of their tokens. Throws a {@link TokenError} with the position of an invalid entry in `at`.
   */
  constructor(tokens: readonly TokenOptions[], sessions: Sessions = new Sessions()) {
    this.#sessions = sessions;
    if (tokens.length === 0)
      throw new SluiceError(
        'ERR_VALUE',
        'is empty, so no client could use the endpoint: leave it out, or set "disabled"',
      );
    this.#tokens = tokens.map(readToken);
    const names = this.#tokens.map(({ authority }) => authority.name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) !== index) throw new TokenError(index, 'name', `${JSON.stringify(name)} is there twice`);
  }

  identify(request: IncomingMessage): Authority | Refusal {
    const presented = bearerOf(request);
    if (presented === null) return refusal('a token is needed: Authorization: Bearer …', null);
    const token = this.#find(this.#digestOf(presented));
    if (token === null) return refusal('the token is not known', 'invalid_token');
    if (token.expires <= Date.now()) return refusal(`the token ${token.authority.name} has expired`, 'invalid_token');
    return token.authority;
  }

  #digestOf(presented: string): Buffer {
    const owner = this.#sessions.ownerOf(presented);
    return owner === null ? digestOf(presented) : Buffer.from(owner, 'hex');
  }

  /** Compares with every token in constant time. */
  #find(digest: Buffer): Token | null {
    let found: Token | null = null;
    for (const token of this.#tokens) if (timingSafeEqual(token.digest, digest)) found = token;
    return found;
  }
}

/** An invalid token entry: `at` has its index and key. */
export class TokenError extends Error {
  readonly at: readonly [index: number, key: string];

  constructor(index: number, key: string, message: string) {
    super(message);
    this.at = [index, key];
  }
}

function readToken({ name, hash, expires, permissions }: TokenOptions, index: number): Token {
  if (!name) throw new TokenError(index, 'name', 'is missing: logs and the history call the token by it');
  const digest = /^sha256:([\da-f]{64})$/i.exec(hash ?? '')?.[1];
  if (digest === undefined)
    throw new TokenError(index, 'hash', 'must be "sha256:" and 64 hexadecimal digits; `sluice token` makes one');
  const end = expires === null || expires === undefined ? Infinity : parseTime(expires);
  if (Number.isNaN(end))
    throw new TokenError(index, 'expires', `must be a time such as "2027-01-31T00:00:00Z", not ${String(expires)}`);
  try {
    const authority = new Authority(name, permissions ?? null);
    return { digest: Buffer.from(digest, 'hex'), expires: end, authority };
  } catch (error) {
    throw new TokenError(index, 'permissions', (error as Error).message);
  }
}

function parseTime(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function refusal(message: string, error: string | null): Refusal {
  return { status: 401, message, challenge: `Bearer realm="sluice"${error === null ? '' : `, error="${error}"`}` };
}
