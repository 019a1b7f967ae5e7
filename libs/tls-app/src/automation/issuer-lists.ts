/** Compares the issuer lists of policies. */
import type { Issuer } from '../contracts/issuer.ts';

/** Returns a key for a list of issuers, derived from their storage keys. */
export function issuersKey(issuers: readonly Issuer[]): string {
  return issuers.map(({ storageKey }) => storageKey).join(' ');
}

/** Reports whether two lists contain the same issuers in the same order. */
export function sameIssuers(one: readonly Issuer[], other: readonly Issuer[]): boolean {
  return one.length === other.length && one.every((issuer, i) => issuer === other[i]);
}
