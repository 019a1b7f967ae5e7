import type { ChallengeType } from '../protocol/challenge.ts';
import type { IdentifierPolicy } from './policy.ts';
import type { Validator } from './validation/validation.ts';

/** An issued certificate in PEM format: the certificate alone, and the certificate with its intermediates. */
export interface Issued {
  readonly certificate: string;
  readonly chain: string;
}

/** Parameters of a certificate to issue. */
export interface Issuance {
  /** CSR in DER format. */
  readonly csr: Buffer;
  readonly names: readonly string[];
  /** Lifetime in milliseconds. */
  readonly lifetime: number;
}

/** Issues a certificate. */
export type Issue = (issuance: Issuance) => Promise<Issued>;

/** Settings of one ACME server. Several servers may share a `Book`. */
export interface ServerSettings {
  /** Default and maximum certificate lifetime, in milliseconds. */
  readonly lifetime: number;
  readonly challenges: readonly ChallengeType[];
  /** Identifier policy; `null` allows all identifiers. */
  readonly policy: IdentifierPolicy | null;
  readonly validator: Validator;
  readonly issue: Issue;
  /** Logs internal errors and failed validations. */
  readonly report: (level: 'info' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
}
