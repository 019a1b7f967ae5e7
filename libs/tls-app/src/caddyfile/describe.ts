/** What the directive `tls` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const tls: Description = {
  syntax: ['tls [internal|force_automate|<email>]', 'tls <certificate> <key>'],
  summary: 'TLS of a site: an issuer, files of a certificate, or settings of connections.',
  options: [
    { syntax: 'protocols <least> [<highest>]', summary: '`tls1.2`, `tls1.3`.' },
    { syntax: 'ciphers <suite>…', summary: 'Cipher suites of TLS 1.2.' },
    { syntax: 'curves <curve>…', summary: 'Groups of the key exchange.' },
    { syntax: 'alpn <protocol>…', summary: 'What is offered to clients.' },
    { syntax: 'load <folder>…', summary: 'Certificates of folders.' },
    { syntax: 'ca <url>', summary: 'The directory of the certificate authority.' },
    { syntax: 'ca_root <file>', summary: 'The certificate that its own HTTPS is trusted by.' },
    { syntax: 'key_type <type>', summary: 'The type of the key.' },
    { syntax: 'dns <provider> …', summary: 'Proves names over DNS.', module: 'dns.providers' },
    { syntax: 'resolvers <address>…', summary: 'DNS servers for that.' },
    { syntax: 'propagation_delay <time>', summary: 'How long to wait before records are looked up.' },
    { syntax: 'propagation_timeout <time>', summary: 'How long to wait for records.' },
    { syntax: 'dns_ttl <time>', summary: 'The life of records.' },
    { syntax: 'dns_challenge_override_domain <name>', summary: 'Where records are put.' },
    { syntax: 'eab <id> <key>', summary: 'The external account that the ACME account is bound to.' },
    { syntax: 'on_demand', summary: 'Obtains certificates during handshakes.' },
    { syntax: 'reuse_private_keys', summary: 'Keeps the key when a certificate is renewed.' },
    {
      syntax: 'renewal_window_ratio <ratio>',
      summary: 'The part of its life that is left when a certificate is renewed.',
    },
    {
      syntax: 'client_auth',
      summary: 'Asks clients for certificates.',
      options: [
        { syntax: 'mode <mode>', summary: '`request`, `require`, `verify_if_given` or `require_and_verify`.' },
        { syntax: 'trust_pool <module> …', summary: 'Authorities that are trusted.', module: 'tls.ca_pool.source' },
        { syntax: 'verifier <module> …', summary: 'Checks further.', module: 'tls.client_auth.verifier' },
      ],
    },
    { syntax: 'issuer <module> …', summary: 'Who issues the certificate.', module: 'tls.issuance' },
    { syntax: 'get_certificate <module> …', summary: 'Who is asked for certificates.', module: 'tls.get_certificate' },
    { syntax: 'insecure_secrets_log <file>', summary: 'Writes the keys of connections, to look into them.' },
  ],
  example: `example.com {
	tls ada@example.com {
		protocols tls1.3
	}
	respond hi
}
`,
};
