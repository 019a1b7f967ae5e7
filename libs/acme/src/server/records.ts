/** Records that an ACME server stores as JSON. All times are in milliseconds since 1970. */
import type { ChallengeType } from '../protocol/challenge.ts';
import type { Jwk } from '../protocol/jwk.ts';
import type { Identifier, ProblemDocument } from '../protocol/problem.ts';
import type { AuthorizationStatus, ChallengeStatus, OrderStatus } from '../protocol/resources.ts';

export interface AccountRecord {
  readonly id: string;
  readonly jwk: Jwk;
  readonly status: 'valid' | 'deactivated';
  readonly contact: readonly string[];
  readonly created: number;
}

export interface ChallengeRecord {
  readonly type: ChallengeType;
  readonly status: ChallengeStatus;
  readonly validated: number | null;
  readonly error: ProblemDocument | null;
}

/** An authorization. Authorizations are stored inside their order, so a single write updates both. */
export interface AuthorizationRecord {
  /** Identifier without `*.`. */
  readonly identifier: Identifier;
  readonly wildcard: boolean;
  readonly status: AuthorizationStatus;
  /** Token that all challenges of the authorization share. */
  readonly token: string;
  readonly challenges: readonly ChallengeRecord[];
}

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
  /** Certificate ID. */
  readonly certificate: string | null;
  readonly error: ProblemDocument | null;
}

export interface CertificateRecord {
  /** ID of the certificate: the hexadecimal SHA-256 digest of its DER encoding. */
  readonly id: string;
  readonly account: string;
  readonly identifiers: readonly Identifier[];
  /** PEM-encoded certificate followed by its intermediates. */
  readonly chain: string;
  readonly notAfter: number;
  readonly revoked: { readonly at: number; readonly reason: number } | null;
}
