/** A certificate with its chain and private key, as loaders and managers give it. */

/** PEM texts of one certificate. Plain data: it is sent between threads, and never leaves the process. */
export interface CertificatePair {
  /** The certificate of the server first, then those between it and the root. */
  readonly chain: string;
  /** Private key, not encrypted: PKCS#8, SEC 1 or PKCS#1. */
  readonly key: string;
}

/** A certificate that the configuration brings. */
export interface LoadedCertificate extends CertificatePair {
  /** Names that `certificate_selection.any_tag` and `all_tags` select by. */
  readonly tags: readonly string[];
  /** Where it came from, for messages and `GET /certificates`: a file, `load_pem[0]`, a key of a storage. */
  readonly source: string;
}
