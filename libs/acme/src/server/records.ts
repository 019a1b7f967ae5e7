/** What an ACME server keeps, as JSON. Times are milliseconds since 1970. */
import type { ChallengeType } from '../protocol/challenge.ts';
import type { Jwk } from '../protocol/jwk.ts';
import type { Identifier, ProblemDocument } from '../protocol/problem.ts';
import type { AuthorizationStatus, ChallengeStatus, OrderStatus } from '../protocol/resources.ts';

/** An account. */
export interface AccountRecord {
  readonly id: string;
  readonly jwk: Jwk;
  readonly status: 'valid' | 'deactivated';
  readonly contact: readonly string[];
  readonly created: number;
}

/** A challenge of an authorization. */
export interface ChallengeRecord {
  readonly type: ChallengeType;
  readonly status: ChallengeStatus;
  readonly validated: number | null;
  readonly error: ProblemDocument | null;
}

/** An authorization; it belongs to one order and is kept with it, so that both change in one write. */
export interface AuthorizationRecord {
  /** Without `*.`. */
  readonly identifier: Identifier;
  readonly wildcard: boolean;
  readonly status: AuthorizationStatus;
  /** The same for all challenges. */
  readonly token: string;
  readonly challenges: readonly ChallengeRecord[];
}

/** An order. */
export interface OrderRecord {
  readonly id: string;
  readonly account: string;
  readonly status: OrderStatus;
  readonly created: number;
  readonly expires: number;
  readonly identifiers: readonly Identifier[];
  readonly notBefore: number;
  readonly notAfter: number;
  readonly authorizations: readonly AuthorizationRecord[];
  /** Id of the certificate. */
  readonly certificate: string | null;
  readonly error: ProblemDocument | null;
}

/** A certificate that was issued. */
export interface CertificateRecord {
  /** SHA-256 of its DER, in hexadecimal. */
  readonly id: string;
  readonly account: string;
  readonly identifiers: readonly Identifier[];
  /** PEM blocks: the certificate and those between it and the root. */
  readonly chain: string;
  readonly notAfter: number;
  readonly revoked: { readonly at: number; readonly reason: number } | null;
}
