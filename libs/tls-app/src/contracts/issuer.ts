/** Contract of certificate issuers. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { SharedChallenges } from './challenge-board.ts';

/** A requested certificate. */
export interface CertificateOrder {
  /** Host names, wildcards or IP addresses, as in the alternative names of the CSR. Currently always one. */
  readonly names: readonly string[];
  /** CSR (PKCS#10) in DER format, signed with the certificate's key. */
  readonly csr: Buffer;
  /** Number of previous failures over all issuers. If not 0, an ACME issuer may use its test CA. */
  readonly attempt: number;
  /** PEM chain of the certificate being renewed (ARI `replaces`, RFC 9773 §5), or `null`. */
  readonly replaces: string | null;
  /** Aborted when the certificate is no longer needed, or on timeout. */
  readonly signal: AbortSignal;
}

export interface IssuedCertificate {
  /** PEM certificate, followed by its intermediates. */
  readonly chain: string;
  /** Metadata stored with the certificate as `issuer_data` in its `.json`, such as an ACME certificate URL. Must not contain secrets. */
  readonly data?: Json;
}

/** Renewal window suggested by the issuer (ARI, RFC 9773). Milliseconds since 1970. */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
  /** Time of the next query. */
  readonly retryAt: number;
  readonly explanation?: string;
}

/**
 * Issues certificates. Provisioned in the control thread, and in configuration tests, where `context.roles.control` is
 * false and no connections may be opened. Not provisioned in traffic threads.
 */
export interface Issuer {
  /** Directory of its certificates below `certificates/`, named as in Caddy: `local`, `acme-v02.api.letsencrypt.org-directory`. */
  readonly storageKey: string;
  /** Returns a reason if the issuer cannot issue for a name, such as a wildcard without DNS; otherwise `null`. */
  objection?(name: string): string | null;
  /**
   * Issues a certificate. Rejects with the reason. After an error with `permanent: true`, this issuer is not tried
   * again soon.
   */
  issue(order: CertificateOrder): Promise<IssuedCertificate>;
  /** Revokes a certificate from this issuer. `reason` is a code from RFC 5280 §5.3.1. */
  revoke?(chain: string, reason: number, signal: AbortSignal): Promise<void>;
  /** Challenges that other servers have stored. Undefined if none are stored. */
  readonly sharedChallenges?: SharedChallenges;
  /** Returns the suggested renewal window; `null` if the CA does not suggest a window. */
  renewalWindow?(chain: string, signal: AbortSignal): Promise<RenewalWindow | null>;
}

/** `tls.issuance`: inline key `module`. */
export const issuers: Namespace<Issuer> = namespace<Issuer>('tls.issuance');

/** Storage of certificates, also for accounts of issuers. Always provided to issuers. */
export const certificateStorageToken: Token<Storage> = token<Storage>('certificate_storage');
