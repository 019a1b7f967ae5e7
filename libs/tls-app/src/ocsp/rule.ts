/** OCSP stapling rules: the responder and storage for each certificate's OCSP response. */
import type { Storage } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';

/** OCSP stapling rule for one certificate. */
export interface StaplingRule {
  /** Responder URL. */
  readonly responder: string;
  readonly storage: Storage;
}

/** Returns the stapling rule for a certificate, or `null` if stapling is disabled for it. */
export type StaplingRules = (certificate: Certificate) => StaplingRule | null;

export function isSameRule(one: StaplingRule | null, other: StaplingRule | null): boolean {
  return one?.responder === other?.responder && one?.storage === other?.storage;
}
