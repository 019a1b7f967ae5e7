import { isObject, type Json, type JsonObject } from '@sluice/base';

export interface Session {
  /** Claims that the configuration uses, by path. */
  readonly claims: JsonObject;
  /** Sign-in time. */
  readonly start: number;
  /** Time of a recent request. */
  readonly seen: number;
  /** Refresh token; empty if there is none. */
  readonly refreshToken: string;
  /** Expiry of the access token; 0 without a refresh token. */
  readonly expiry: number;
  /** Earliest refresh time, shortly before `expiry`. */
  readonly refreshAt: number;
}

/**
 * The access token is refreshed this many seconds before it expires, or in the last quarter of its lifetime if that is
 * shorter.
 */
const refreshMargin = 60;

/** Returns the times of a session with a new access token. */
export function refreshTimes(
  now: number,
  lifetime: number | undefined,
  refreshToken: string,
): Pick<Session, 'expiry' | 'refreshAt'> {
  if (refreshToken === '') return { expiry: 0, refreshAt: 0 };
  // RFC 6749 §5.1 makes expires_in optional.
  const span = lifetime === undefined || lifetime <= 0 ? 300 : lifetime;
  return { expiry: now + span, refreshAt: now + span - Math.min(refreshMargin, Math.ceil(span / 4)) };
}

export function writeSession({ claims, start, seen, refreshToken, expiry, refreshAt }: Session): string {
  return JSON.stringify([start, seen, claims, refreshToken, expiry, refreshAt]);
}

/** Parses a decrypted cookie, which another version of this server may have written. */
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
