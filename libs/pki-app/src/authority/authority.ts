/** Certificate authority interface for other apps. */
import type { KeyObject } from 'node:crypto';

export interface IssueRequest {
  /** A public key, or a CSR in PEM or DER format. Only the public key of a CSR is used. */
  readonly subject: { readonly csr: string | Buffer } | { readonly publicKey: KeyObject };
  /** Names in the certificate: host names (wildcards allowed), IP addresses, email addresses or URIs. At least one is required. */
  readonly names: readonly string[];
  /** Certificate lifetime in milliseconds. Default: 12 hours. The certificate never outlives its issuer. */
  readonly lifetime?: number;
  /** True to sign with the root instead of the intermediate. */
  readonly signWithRoot?: boolean;
}

export interface IssuedCertificate {
  /** PEM certificate. */
  readonly certificate: string;
  /** Certificate and intermediates in PEM format, as sent by servers. */
  readonly chain: string;
}

/**
 * A certificate authority with a root and an intermediate. The intermediate issues certificates and is renewed automatically. Exists only
 * in the control thread.
 */
export interface Authority {
  readonly id: string;
  readonly name: string;
  readonly rootCommonName: string;
  readonly intermediateCommonName: string;
  /** Root certificate in PEM format, ending with a line feed. */
  readonly rootCertificate: string;
  /** Current intermediate in PEM format, including user-provided certificates between it and the root. */
  readonly intermediateCertificate: string;
  /** Returns the intermediate and the root in PEM format. */
  chain(): string;
  /** Issues a certificate. If the intermediate is due for renewal, renews it first. */
  issue(request: IssueRequest): Promise<IssuedCertificate>;
}
