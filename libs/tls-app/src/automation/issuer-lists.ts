/** Comparisons of the issuers of a policy. */
import type { Issuer } from '../contracts/issuer.ts';

/** What stands for the places in storage of a list. */
export function issuersKey(issuers: readonly Issuer[]): string {
  return issuers.map(({ storageKey }) => storageKey).join(' ');
}

/** Whether two lists have the same issuers in the same order. */
export function sameIssuers(one: readonly Issuer[], other: readonly Issuer[]): boolean {
  return one.length === other.length && one.every((issuer, i) => issuer === other[i]);
}
