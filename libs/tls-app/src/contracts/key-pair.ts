/** A certificate with its chain and private key, as returned by loaders and managers. */

export interface CertificatePair {
  /** The server certificate, followed by its intermediates. */
  readonly chain: string;
  /** Unencrypted private key: PKCS#8, SEC 1 or PKCS#1. */
  readonly key: string;
}

/** A certificate from the configuration. */
export interface LoadedCertificate extends CertificatePair {
  /** Tags for `certificate_selection.any_tag` and `all_tags`. */
  readonly tags: readonly string[];
  /** Source for messages and `GET /certificates`: a file, `load_pem[0]` or a storage key. */
  readonly source: string;
}
