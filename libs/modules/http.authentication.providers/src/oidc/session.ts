import { isObject, type Json, type JsonObject } from '@sluice/base';

export interface Session {
  /** Claims that the configuration uses, by claim path. */
  readonly claims: JsonObject;
  /** Sign-in time. */
  readonly start: number;
  /** Time of the last recorded request. */
  readonly seen: number;
  /** Refresh token. Empty if there is none. */
  readonly refreshToken: string;
  /** Expiration time of the access token. 0 if there is no refresh token. */
  readonly expiry: number;
  /** Earliest time to refresh the access token, shortly before `expiry`. */
  readonly refreshAt: number;
}

/**
 * Time before expiration at which an access token is refreshed, in seconds. A token with a short lifetime is refreshed in the last quarter
 * of its lifetime.
 */
const refreshMargin = 60;

/** Returns the refresh times for a session with a new access token. */
export function refreshTimes(
  now: number,
  lifetime: number | undefined,
  refreshToken: string,
): Pick<Session, 'expiry' | 'refreshAt'> {
  if (refreshToken === '') return { expiry: 0, refreshAt: 0 };
  // The field `expires_in` is optional (RFC 6749 §5.1).
  const span = lifetime === undefined || lifetime <= 0 ? 300 : lifetime;
  return { expiry: now + span, refreshAt: now + span - Math.min(refreshMargin, Math.ceil(span / 4)) };
}

export function writeSession({ claims, start, seen, refreshToken, expiry, refreshAt }: Session): string {
  return JSON.stringify([start, seen, claims, refreshToken, expiry, refreshAt]);
}

/** Parses a decrypted session cookie. A different version of this server may have written it. */
export function readSession(text: string): Session | null {
  let parts: Json;
  try {
    parts = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [start, seen, claims, refreshToken, expiry, refreshAt] = parts as readonly Json[];
  if (typeof start !== 'number' || typeof seen !== 'number' || !isObject(claims)) return null;
  if (typeof refreshToken !== 'string' || typeof expiry !== 'number' || typeof refreshAt !== 'number') return null;
  return { start, seen, claims, refreshToken, expiry, refreshAt };
}
