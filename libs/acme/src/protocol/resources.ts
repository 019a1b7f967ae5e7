/** JSON resources of ACME (RFC 8555 §7.1). */
import type { Identifier, ProblemDocument } from './problem.ts';

/** ACME directory (RFC 8555 §7.1.1), including the `renewalInfo` URL (RFC 9773) and the certificate profiles. */
export interface DirectoryResource {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly revokeCert: string;
  readonly keyChange: string;
  readonly renewalInfo?: string;
  readonly meta?: {
    readonly termsOfService?: string;
    readonly externalAccountRequired?: boolean;
    /** Profile descriptions by name. */
    readonly profiles?: Readonly<Record<string, string>>;
  };
}

/** Account (RFC 8555 §7.1.2). */
export interface AccountResource {
  readonly status: 'valid' | 'deactivated' | 'revoked';
  readonly contact?: readonly string[];
  readonly orders?: string;
}

export type OrderStatus = 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';

/** Order (RFC 8555 §7.1.3). */
export interface OrderResource {
  readonly status: OrderStatus;
  /** Expiration time in RFC 3339 format, the time format of all ACME resources. */
  readonly expires?: string;
  readonly identifiers: readonly Identifier[];
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly error?: ProblemDocument;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate?: string;
}

export type AuthorizationStatus = 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';

/** Authorization (RFC 8555 §7.1.4). */
export interface AuthorizationResource {
  readonly identifier: Identifier;
  readonly status: AuthorizationStatus;
  readonly expires?: string;
  readonly challenges: readonly ChallengeResource[];
  readonly wildcard?: boolean;
}

export type ChallengeStatus = 'pending' | 'processing' | 'valid' | 'invalid';

/** Challenge (RFC 8555 §8). */
export interface ChallengeResource {
  readonly type: string;
  readonly url: string;
  readonly status: ChallengeStatus;
  readonly token?: string;
  /** Issuer domain names of the CA. A `dns-persist-01` record contains one of these names. */
  readonly 'issuer-domain-names'?: readonly string[];
  readonly validated?: string;
  readonly error?: ProblemDocument;
}
