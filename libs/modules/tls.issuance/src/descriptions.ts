/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  acme: {
    syntax: ['acme [<directory>]'],
    summary: 'Obtains certificates from a certificate authority over ACME.',
    options: [
      { syntax: 'dir <url>', summary: 'Directory URL of the certificate authority.' },
      { syntax: 'test_dir <url>', summary: 'Directory URL to try first after a failure.' },
      { syntax: 'email <address>', summary: 'Email address of the account.' },
      { syntax: 'profile <name>', summary: 'Certificate profile.' },
      { syntax: 'timeout <time>', summary: 'Timeout of an order.' },
      { syntax: 'lifetime <time>', summary: 'Requested validity period of certificates.' },
      { syntax: 'disable_http_challenge', summary: 'Disables HTTP challenges.' },
      { syntax: 'disable_tlsalpn_challenge', summary: 'Disables TLS-ALPN challenges.' },
      { syntax: 'distributed false', summary: 'Accepted, no effect: challenges are not shared through the storage.' },
      { syntax: 'alt_http_port <port>', summary: 'Port for HTTP challenges.' },
      { syntax: 'alt_tlsalpn_port <port>', summary: 'Port for TLS-ALPN challenges.' },
      { syntax: 'eab <key id> <mac key>', summary: 'External account binding.' },
      {
        syntax: 'trusted_roots <file>…',
        summary: 'Trusted certificates for HTTPS connections to the certificate authority.',
      },
      {
        syntax: 'preferred_chains [smallest]',
        summary: 'Preferred chain, if there are several.',
        options: [
          { syntax: 'root_common_name <name>…', summary: 'Prefers a chain whose root has one of these common names.' },
          { syntax: 'any_common_name <name>…', summary: 'Prefers a chain that contains one of these common names.' },
        ],
      },
      { syntax: 'dns <provider> …', summary: 'Provider for DNS challenges.', module: 'dns.providers' },
      { syntax: 'resolvers <address>…', summary: 'DNS servers for checking records.' },
      {
        syntax: 'dns_challenge_override_domain <name>',
        summary: 'Domain to create the record in, instead of the domain of the certificate.',
      },
      { syntax: 'propagation_delay <time>', summary: 'Delay before the first check for the record.' },
      {
        syntax: 'propagation_timeout <time>',
        summary: 'Timeout for DNS propagation; `-1` disables the check.',
      },
      { syntax: 'dns_ttl <time>', summary: 'TTL of the record.' },
    ],
    example: `example.com {
	tls {
		issuer acme {
			dir https://acme-staging-v02.api.letsencrypt.org/directory
			email ada@example.com
		}
	}
}
`,
  },
  internal: {
    syntax: ['internal'],
    summary: "Issues certificates from this server's own certificate authority; clients must trust its root.",
    options: [
      { syntax: 'ca <id>', summary: 'Certificate authority from the global option `pki`.' },
      { syntax: 'lifetime <time>', summary: 'Validity period of certificates. Default: 12 hours.' },
      { syntax: 'sign_with_root', summary: 'Signs certificates with the root instead of an intermediate.' },
    ],
    example: `example.com {
	tls {
		issuer internal {
			lifetime 24h
		}
	}
}
`,
  },
  zerossl: {
    syntax: ['zerossl <key>'],
    summary: 'Obtains certificates from ZeroSSL over its own API.',
    options: [
      { syntax: 'listen_host <host>', summary: 'Address to listen on for HTTP validation.' },
      { syntax: 'alt_http_port <port>', summary: 'Port to listen on for HTTP validation.' },
      { syntax: 'dns <provider> …', summary: 'Provider for DNS challenges.', module: 'dns.providers' },
      { syntax: 'resolvers <address>…', summary: 'DNS servers for checking records.' },
      {
        syntax: 'dns_challenge_override_domain <name>',
        summary: 'Domain to create the record in, instead of the domain of the certificate.',
      },
      { syntax: 'propagation_delay <time>', summary: 'Delay before the first check for the record.' },
      {
        syntax: 'propagation_timeout <time>',
        summary: 'Timeout for DNS propagation; `-1` disables the check.',
      },
      { syntax: 'dns_ttl <time>', summary: 'TTL of the record.' },
    ],
    example: `example.com {
	tls {
		issuer zerossl {env.ZEROSSL_KEY}
	}
}
`,
  },
};
