import type { ChallengeType } from '../protocol/challenge.ts';
import type { IdentifierPolicy } from './policy.ts';
import type { Validator } from './validation/validation.ts';

/** An issued certificate in PEM format, on its own and with its intermediates. */
export interface Issued {
  readonly certificate: string;
  readonly chain: string;
}

/** A certificate to issue. */
export interface Issuance {
  /** CSR in DER format. */
  readonly csr: Buffer;
  readonly names: readonly string[];
  /** Lifetime in milliseconds. */
  readonly lifetime: number;
}

/** Issues a certificate. */
export type Issue = (issuance: Issuance) => Promise<Issued>;

/** Settings of one server; several servers may share a book. */
export interface ServerSettings {
  /** Maximum and default lifetime of certificates, in milliseconds. */
  readonly lifetime: number;
  readonly challenges: readonly ChallengeType[];
  /** Identifier policy; `null` allows all identifiers. */
  readonly policy: IdentifierPolicy | null;
  readonly validator: Validator;
  readonly issue: Issue;
  /** Logs internal errors and failed validations. */
  readonly report: (level: 'info' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
}
