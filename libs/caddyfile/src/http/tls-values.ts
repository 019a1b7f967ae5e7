/** Values of the `tls` directive and the global TLS options, for assembling the document. */
import type { Json } from '@sluice/base';

/** A TLS connection policy, as in native JSON. */
export interface ConnectionPolicy {
  match?: { readonly sni: readonly string[] };
  certificate_selection?: Json;
  cipher_suites?: readonly string[];
  curves?: readonly string[];
  alpn?: readonly string[];
  protocol_min?: string;
  protocol_max?: string;
  client_authentication?: Json;
  default_sni?: string;
  fallback_sni?: string;
  insecure_secrets_log?: string;
}

/** A certificate issuer: the module name and its options. */
export interface IssuerConfig {
  module: string;
  [key: string]: Json;
}

/** A TLS automation policy, as in native JSON. */
export interface AutomationPolicy {
  subjects?: string[];
  issuers?: IssuerConfig[];
  get_certificate?: Json[];
  must_staple?: boolean;
  renewal_window_ratio?: number;
  key_type?: string;
  storage?: Json;
  on_demand?: boolean;
  reuse_private_keys?: boolean;
  disable_ocsp_stapling?: boolean;
  ocsp_overrides?: Json;
}

/** A certificate to load: the loader name and one item for the loader. */
export interface CertificateLoaderConfig {
  readonly loader: string;
  readonly item: Json;
}

/** Kinds of TLS values in a site. A value of the kind `authority` is the ID of a CA that issues the site's certificates. */
export const tlsPiles = {
  connectionPolicy: 'tls.connection_policy',
  authority: 'pki.ca',
  issuer: 'tls.cert_issuer',
  manager: 'tls.cert_manager',
  loader: 'tls.cert_loader',
  onDemand: 'tls.on_demand',
  keyType: 'tls.key_type',
  reusePrivateKeys: 'tls.reuse_private_keys',
  forceAutomate: 'tls.force_automate',
  renewalWindowRatio: 'tls.renewal_window_ratio',
  mustStaple: 'tls.must_staple',
} as const;
