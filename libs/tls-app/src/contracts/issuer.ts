/** Interface that certificate issuer modules implement. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { SharedChallenges } from './challenge-board.ts';

/** A requested certificate. */
export interface CertificateOrder {
  /** Host names, wildcards or IP addresses, as in the CSR's subject alternative names. Currently, there is always exactly one. */
  readonly names: readonly string[];
  /** CSR (PKCS#10) in DER format, signed with the private key of the certificate. */
  readonly csr: Buffer;
  /** Number of previous failures across all issuers. If it is not 0, an ACME issuer may use its test CA. */
  readonly attempt: number;
  /** PEM chain of the certificate being renewed, for the ARI field `replaces` (RFC 9773 §5). `null` for a new certificate. */
  readonly replaces: string | null;
  /** Aborted on timeout or when the certificate is no longer needed. */
  readonly signal: AbortSignal;
}

export interface IssuedCertificate {
  /** The certificate and its intermediates, in PEM format. */
  readonly chain: string;
  /** Metadata to store in the certificate's `.json` file as `issuer_data`, such as an ACME certificate URL. Must not contain secrets. */
  readonly data?: Json;
}

/** Renewal window that the issuer suggests (ARI, RFC 9773). Times are in milliseconds since the Unix epoch. */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
  /** Time to query the renewal window again. */
  readonly retryAt: number;
  readonly explanation?: string;
}

/**
 * Issues certificates. Issuers are provisioned in the control thread and in configuration tests, but not in traffic threads. In a
 * configuration test, `context.roles.control` is false, and the issuer must not open connections.
 */
export interface Issuer {
  /**
   * Directory of the issuer's certificates within `certificates/`. The name is the same as in Caddy, such as `local` or
   * `acme-v02.api.letsencrypt.org-directory`.
   */
  readonly storageKey: string;
  /** Returns the reason that the issuer cannot issue for a name, such as a wildcard without a DNS challenge. Returns `null` if it can. */
  objection?(name: string): string | null;
  /**
   * Issues a certificate. Rejects with the reason for a failure. After an error with `permanent: true`, this issuer is not tried again for
   * some time.
   */
  issue(order: CertificateOrder): Promise<IssuedCertificate>;
  /** Revokes a certificate that this issuer has issued. `reason` is a code from RFC 5280 §5.3.1. */
  revoke?(chain: string, reason: number, signal: AbortSignal): Promise<void>;
  /** Access to challenges that other servers have stored. Undefined if the issuer does not store challenges. */
  readonly sharedChallenges?: SharedChallenges;
  /** Returns the renewal window for a certificate, or `null` if the CA does not suggest one. */
  renewalWindow?(chain: string, signal: AbortSignal): Promise<RenewalWindow | null>;
}

/** Namespace `tls.issuance` for certificate issuers. The inline key is `module`. */
export const issuers: Namespace<Issuer> = namespace<Issuer>('tls.issuance');

/** Service token for the storage of certificates and issuer accounts. Always available to issuers. */
export const certificateStorageToken: Token<Storage> = token<Storage>('certificate_storage');
