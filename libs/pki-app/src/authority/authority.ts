/** Interface of a certificate authority for other apps. */
import type { KeyObject } from 'node:crypto';

/** A certificate to issue. */
export interface IssueRequest {
  /** A CSR in PEM or DER format, of which only the public key is used, or a public key. */
  readonly subject: { readonly csr: string | Buffer } | { readonly publicKey: KeyObject };
  /** Host names (wildcards allowed), IP addresses, email addresses or URIs; at least one. */
  readonly names: readonly string[];
  /** Lifetime in milliseconds. Default: 12 hours. Limited by the issuer's expiration. */
  readonly lifetime?: number;
  /** Signs with the root instead of the intermediate. */
  readonly signWithRoot?: boolean;
}

export interface IssuedCertificate {
  /** PEM certificate. */
  readonly certificate: string;
  /** PEM certificate and intermediates, as sent by servers. */
  readonly chain: string;
}

/** A CA: a root, and an intermediate that issues certificates and is renewed. Exists only in the control thread. */
export interface Authority {
  readonly id: string;
  readonly name: string;
  readonly rootCommonName: string;
  readonly intermediateCommonName: string;
  /** PEM, ending with a line feed. */
  readonly rootCertificate: string;
  /** PEM of the current intermediate, and of user-provided certificates between it and the root. */
  readonly intermediateCertificate: string;
  /** Returns the PEM of the intermediate and the root. */
  chain(): string;
  /** Issues a certificate. First renews the intermediate if renewal is due. */
  issue(request: IssueRequest): Promise<IssuedCertificate>;
}
