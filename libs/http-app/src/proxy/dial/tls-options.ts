/** TLS options for upstream connections. */
import { boolean, duration, inlineModule, options, string, strings, type Options } from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';

export const upstreamTlsOptions = options({
  ca: inlineModule(
    'Source of certificate authorities to trust when connecting to upstreams.',
    caPoolSources,
    'provider',
  ),
  root_ca_pool: strings('Trusted certificates, as base64-encoded DER. Deprecated: use `ca`.'),
  root_ca_pem_files: strings('PEM files containing trusted certificates. Deprecated: use `ca`.'),
  client_certificate_file: string('File containing the client certificate.'),
  client_certificate_key_file: string('File containing the private key of the client certificate.'),
  client_certificate_pem: string('Client certificate in PEM format, instead of `client_certificate_file`.'),
  client_private_key_pem: string(
    'Private key for `client_certificate_pem`, in PEM format. Anyone who can read the configuration can read the key.',
  ),
  client_certificate_automate: string('Name of a managed certificate to present as the client certificate.'),
  insecure_skip_verify: boolean('Disable certificate verification. Use only for testing.'),
  handshake_timeout: duration('TLS handshake timeout. Default: 10s.'),
  server_name: string(
    'Server name for SNI and certificate verification. May contain placeholders. Default: the host being dialed.',
  ),
  subject_alt_names: strings(
    "Accepted subject alternative names: DNS names, or URIs such as spiffe://example.com/app. The upstream's certificate must contain at least one of them. Default: the server name.",
  ),
  renegotiation: string(
    'TLS renegotiation policy. Only `never`, the default, is supported; `once` and `freely` are rejected.',
  ),
  except_ports: strings('Upstream ports to connect to without TLS.'),
  curves: strings('TLS key exchange groups: x25519, secp256r1, secp384r1, secp521r1, x25519mlkem768.'),
});

export type TlsConfig = Options<typeof upstreamTlsOptions>;
