/** Validates the claims of a token (RFC 7519 §4.1) and extracts user data from them. */
import { isObject, type Json, type JsonObject } from '@sluice/base';

export interface ClaimRules {
  /** Accepted issuers. Empty accepts any issuer. */
  readonly issuers: readonly string[];
  /** Accepted audiences. Empty accepts any audience. */
  readonly audiences: readonly string[];
}

/** Returns the reason for rejecting a token, or `null` if its claims are accepted. `now` is in seconds since the Unix epoch. */
export function claimProblem(claims: JsonObject, { issuers, audiences }: ClaimRules, now: number): string | null {
  const { exp, nbf, iat, iss, aud } = claims;
  for (const [name, time] of Object.entries({ exp, nbf, iat }))
    if (time !== undefined && typeof time !== 'number') return `${name} is not a number`;
  if (typeof exp === 'number' && exp <= now) return 'the token has expired';
  if (typeof nbf === 'number' && nbf > now) return 'the token is not valid yet';
  if (typeof iat === 'number' && iat > now) return 'the token was issued in the future';
  if (issuers.length > 0 && !(typeof iss === 'string' && issuers.includes(iss))) return 'the issuer is not accepted';
  if (audiences.length === 0) return null;
  const named = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : [];
  return named.some((each) => typeof each === 'string' && audiences.includes(each))
    ? null
    : 'the audience is not accepted';
}

export function userOf(claims: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = claims[name];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  }
  return null;
}

/** Returns the value of a claim. A name with dots refers to a nested claim. */
export function claimAt(claims: JsonObject, path: string): Json | undefined {
  return Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<Json | undefined>(memberOf, claims);
}

/** Returns a claim as a string. Returns an empty string if the claim is missing or an object. */
export function claimText(claims: JsonObject, path: string): string {
  const value = claimAt(claims, path);
  if (Array.isArray(value)) return value.map((each) => (isPlain(each) ? String(each) : '')).join(',');
  return isPlain(value) ? String(value) : '';
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isPlain(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
