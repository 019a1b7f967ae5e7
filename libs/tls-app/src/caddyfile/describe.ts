/** What the directive `tls` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const tls: Description = {
  syntax: ['tls [internal|force_automate|<email>]', 'tls <certificate> <key>'],
  summary: 'TLS settings of a site: an issuer, certificate files, or connection options.',
  options: [
    { syntax: 'protocols <least> [<highest>]', summary: 'Protocol versions: `tls1.2`, `tls1.3`.' },
    { syntax: 'ciphers <suite>…', summary: 'Cipher suites of TLS 1.2.' },
    { syntax: 'curves <curve>…', summary: 'Key exchange groups.' },
    { syntax: 'alpn <protocol>…', summary: 'Application protocols (ALPN) to offer.' },
    { syntax: 'load <folder>…', summary: 'Directories to load certificates from.' },
    { syntax: 'ca <url>', summary: 'Directory URL of the ACME certificate authority.' },
    {
      syntax: 'ca_root <file>',
      summary: 'Root certificate to trust for HTTPS connections to the certificate authority.',
    },
    { syntax: 'key_type <type>', summary: 'Key type.' },
    { syntax: 'dns <provider> …', summary: 'Uses DNS challenges with this provider.', module: 'dns.providers' },
    { syntax: 'resolvers <address>…', summary: 'DNS servers for DNS challenges.' },
    { syntax: 'propagation_delay <time>', summary: 'Delay before records are looked up.' },
    { syntax: 'propagation_timeout <time>', summary: 'Timeout for DNS propagation.' },
    { syntax: 'dns_ttl <time>', summary: 'TTL of records.' },
    {
      syntax: 'dns_challenge_override_domain <name>',
      summary: 'Domain to create challenge records in, instead of the domain of the certificate.',
    },
    { syntax: 'eab <id> <key>', summary: 'External account binding for the ACME account.' },
    { syntax: 'on_demand', summary: 'Obtains certificates during handshakes.' },
    { syntax: 'reuse_private_keys', summary: 'Reuses the private key when a certificate is renewed.' },
    {
      syntax: 'renewal_window_ratio <ratio>',
      summary: 'Remaining fraction of the validity period at which a certificate is renewed.',
    },
    {
      syntax: 'client_auth',
      summary: 'Requests client certificates.',
      options: [
        { syntax: 'mode <mode>', summary: 'Mode: `request`, `require`, `verify_if_given` or `require_and_verify`.' },
        { syntax: 'trust_pool <module> …', summary: 'Trusted certificate authorities.', module: 'tls.ca_pool.source' },
        { syntax: 'verifier <module> …', summary: 'Additional verifiers.', module: 'tls.client_auth.verifier' },
      ],
    },
    { syntax: 'issuer <module> …', summary: 'Certificate issuer.', module: 'tls.issuance' },
    {
      syntax: 'get_certificate <module> …',
      summary: 'Certificate manager, which provides certificates during handshakes.',
      module: 'tls.get_certificate',
    },
    { syntax: 'insecure_secrets_log <file>', summary: 'Writes TLS session keys to a file, for debugging.' },
  ],
  example: `example.com {
	tls ada@example.com {
		protocols tls1.3
	}
	respond hi
}
`,
};
