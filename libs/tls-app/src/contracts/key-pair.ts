/** A certificate with its chain and private key, as certificate loaders and managers return it. */

export interface CertificatePair {
  /** The server certificate and its intermediates, in this order. */
  readonly chain: string;
  /** Unencrypted private key in PKCS#8, SEC 1 or PKCS#1 format. */
  readonly key: string;
}

/** A certificate loaded from the configuration. */
export interface LoadedCertificate extends CertificatePair {
  /** Tags that `certificate_selection.any_tag` and `all_tags` can match. */
  readonly tags: readonly string[];
  /** Source of the certificate, for messages and `GET /certificates`: a file, `load_pem[0]` or a storage key. */
  readonly source: string;
}
