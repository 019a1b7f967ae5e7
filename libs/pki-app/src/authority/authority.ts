/** What other apps see of a certificate authority. */
import type { KeyObject } from 'node:crypto';

/** A certificate to be issued. */
export interface IssueRequest {
  /** A certificate request as PEM or DER, of which the key alone is used, or a public key. */
  readonly subject: { readonly csr: string | Buffer } | { readonly publicKey: KeyObject };
  /** Host names, with or without wildcard, IP addresses, mail addresses or URIs; at least one. */
  readonly names: readonly string[];
  /** In milliseconds. Default 12 hours; never longer than the issuer is valid. */
  readonly lifetime?: number;
  /** Sign with the root rather than with the intermediate. */
  readonly signWithRoot?: boolean;
}

/** An issued certificate. */
export interface IssuedCertificate {
  /** The certificate as PEM. */
  readonly certificate: string;
  /** What a server sends: the certificate and those between it and the root; PEM blocks. */
  readonly chain: string;
}

/** A certificate authority: a root, and an intermediate that issues and is renewed. In the control thread only. */
export interface Authority {
  readonly id: string;
  readonly name: string;
  readonly rootCommonName: string;
  readonly intermediateCommonName: string;
  /** PEM that ends with a line feed. */
  readonly rootCertificate: string;
  /** PEM of the intermediate in force, and of others between it and the root if the user's own has them. */
  readonly intermediateCertificate: string;
  /** The intermediate and the root; PEM blocks. */
  chain(): string;
  /** Issues a certificate; renews the intermediate first if that is due. */
  issue(request: IssueRequest): Promise<IssuedCertificate>;
}
