/** OCSP stapling rules: responder and storage of a certificate's response. */
import type { Storage } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';

/** Rule for one certificate. */
export interface StaplingRule {
  /** Responder URL. */
  readonly responder: string;
  readonly storage: Storage;
}

/** Returns the rule for a certificate; `null` if no response is stapled. */
export type StaplingRules = (certificate: Certificate) => StaplingRule | null;

/** Reports whether two rules are equal. */
export function isSameRule(one: StaplingRule | null, other: StaplingRule | null): boolean {
  return one?.responder === other?.responder && one?.storage === other?.storage;
}
