/** Whether the OCSP response about a certificate is stapled, who gives it, and where it is kept. */
import type { Storage } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';

/** What is in force for one certificate. */
export interface StaplingRule {
  /** URL. */
  readonly responder: string;
  readonly storage: Storage;
}

/** Finds the rule for a certificate; `null` if no response is stapled to it. */
export type StaplingRules = (certificate: Certificate) => StaplingRule | null;

/** Whether two rules say the same. */
export function isSameRule(one: StaplingRule | null, other: StaplingRule | null): boolean {
  return one?.responder === other?.responder && one?.storage === other?.storage;
}
