/** Compares the issuers of policies. */
import type { Issuer } from '../contracts/issuer.ts';

/** Returns a key that identifies the storage locations of a list of issuers. */
export function issuersKey(issuers: readonly Issuer[]): string {
  return issuers.map(({ storageKey }) => storageKey).join(' ');
}

/** Reports whether two lists contain the same issuers in the same order. */
export function sameIssuers(one: readonly Issuer[], other: readonly Issuer[]): boolean {
  return one.length === other.length && one.every((issuer, i) => issuer === other[i]);
}
