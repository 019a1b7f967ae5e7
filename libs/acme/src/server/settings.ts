/** How an ACME server is set up. */
import type { ChallengeType } from '../protocol/challenge.ts';
import type { IdentifierPolicy } from './policy.ts';
import type { Validator } from './validation/validation.ts';

/** A certificate that an authority issued: PEM, and PEM blocks with those between it and the root. */
export interface Issued {
  readonly certificate: string;
  readonly chain: string;
}

/** A certificate to be issued. */
export interface Issuance {
  /** DER. */
  readonly csr: Buffer;
  readonly names: readonly string[];
  /** In milliseconds. */
  readonly lifetime: number;
}

/** Asks the authority. */
export type Issue = (issuance: Issuance) => Promise<Issued>;

/** Of one server; several can share a book. */
export interface ServerSettings {
  /** The longest life of certificates, and the usual one, in milliseconds. */
  readonly lifetime: number;
  /** Which challenges are offered. */
  readonly challenges: readonly ChallengeType[];
  /** `null` to issue for any identifier. */
  readonly policy: IdentifierPolicy | null;
  readonly validator: Validator;
  readonly issue: Issue;
  /** Told of what is no one's fault but the server's, and of validations that failed. */
  readonly report: (level: 'info' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
}
