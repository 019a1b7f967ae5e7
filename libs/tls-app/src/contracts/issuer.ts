/** Contract of issuers: who signs certificates. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { SharedChallenges } from './challenge-board.ts';

/** A certificate that is wanted. */
export interface CertificateOrder {
  /** Host names, wildcards or IP addresses; the subject alternative names of the request. One, as things are. */
  readonly names: readonly string[];
  /** DER of the certificate request (PKCS#10), signed with the key of the certificate. */
  readonly csr: Buffer;
  /** How often this order failed before, over all issuers; an ACME issuer may turn to its test CA when it is not 0. */
  readonly attempt: number;
  /** PEM chain of the certificate that is renewed (ARI `replaces`, RFC 9773 §5), or `null`. */
  readonly replaces: string | null;
  /** Aborted when no one wants the certificate any more, or it has taken too long. */
  readonly signal: AbortSignal;
}

/** What an issuer gives. */
export interface IssuedCertificate {
  /** PEM: the certificate, then those between it and the root. */
  readonly chain: string;
  /** Kept beside the certificate as `issuer_data` in its `.json`; such as the URL of an ACME certificate. No secrets. */
  readonly data?: Json;
}

/** When a certificate is to be renewed, as its issuer suggests (ARI, RFC 9773). Milliseconds since 1970. */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
  /** When to ask again. */
  readonly retryAt: number;
  readonly explanation?: string;
}

/**
 * Signs certificates. Provisioned in the control thread, whose business certificates are, and in rehearsals, where
 * `context.roles.control` is false and nothing may be opened; traffic threads don't have it.
 */
export interface Issuer {
  /** Folder of its certificates below `certificates/`, as the reference names it: `local`, `acme-v02.api.letsencrypt.org-directory`. */
  readonly storageKey: string;
  /** Whether the issuer can make certificates for a name at all; a reason if not, such as a wildcard without DNS. */
  objection?(name: string): string | null;
  /** Gets a certificate. Rejects with the reason; one with `permanent: true` is not tried again with this issuer soon. */
  issue(order: CertificateOrder): Promise<IssuedCertificate>;
  /** Revokes a certificate that it issued. Reasons as in RFC 5280 §5.3.1. */
  revoke?(chain: string, reason: number, signal: AbortSignal): Promise<void>;
  /** Challenges that its like on other servers have put up in the storage. Missing where none are put there. */
  readonly sharedChallenges?: SharedChallenges;
  /** Suggested time of renewal, or `null` if the issuer does not say. */
  renewalWindow?(chain: string, signal: AbortSignal): Promise<RenewalWindow | null>;
}

/** `tls.issuance`: inline key `module`. */
export const issuers: Namespace<Issuer> = namespace<Issuer>('tls.issuance');

/** The storage of certificates for what an automation policy hosts; accounts of issuers go there too. Always provided to issuers. */
export const certificateStorageToken: Token<Storage> = token<Storage>('certificate_storage');
