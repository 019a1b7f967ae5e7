/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  acme: {
    syntax: ['acme [<directory>]'],
    summary: 'Gets certificates from an authority over ACME.',
    options: [
      { syntax: 'dir <url>', summary: 'The directory of the authority.' },
      { syntax: 'test_dir <url>', summary: 'The directory that is tried first after a failure.' },
      { syntax: 'email <address>', summary: 'The address of the account.' },
      { syntax: 'profile <name>', summary: 'The profile that orders ask for.' },
      { syntax: 'timeout <time>', summary: 'How long an order may take.' },
      { syntax: 'lifetime <time>', summary: 'How long certificates are to be valid.' },
      { syntax: 'disable_http_challenge', summary: 'Never uses HTTP challenges.' },
      { syntax: 'disable_tlsalpn_challenge', summary: 'Never uses TLS-ALPN challenges.' },
      { syntax: 'distributed false', summary: 'Accepted, no effect: challenges are not shared through the storage.' },
      { syntax: 'alt_http_port <port>', summary: 'The port that HTTP challenges arrive at.' },
      { syntax: 'alt_tlsalpn_port <port>', summary: 'The port that TLS-ALPN challenges arrive at.' },
      { syntax: 'eab <key id> <mac key>', summary: 'The account at the authority that this one is bound to.' },
      { syntax: 'trusted_roots <file>…', summary: "Certificates that the authority's own HTTPS is trusted by." },
      {
        syntax: 'preferred_chains [smallest]',
        summary: 'Which of several chains is taken.',
        options: [
          { syntax: 'root_common_name <name>…', summary: 'The chain that ends with one of these.' },
          { syntax: 'any_common_name <name>…', summary: 'The chain that has one of these.' },
        ],
      },
      { syntax: 'dns <provider> …', summary: 'The provider of DNS challenges.', module: 'dns.providers' },
      { syntax: 'resolvers <address>…', summary: 'Name servers that are asked whether the record is there.' },
      {
        syntax: 'dns_challenge_override_domain <name>',
        summary: 'Where the record goes, if not below the name itself.',
      },
      { syntax: 'propagation_delay <time>', summary: 'How long is waited before anything is asked.' },
      {
        syntax: 'propagation_timeout <time>',
        summary: 'How long is waited for the record; `-1` does not look for it.',
      },
      { syntax: 'dns_ttl <time>', summary: 'How long the record may be cached.' },
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
    summary: 'Issues certificates by an authority of this server, which only those trust who were told to.',
    options: [
      { syntax: 'ca <id>', summary: 'The authority, of those of the global option `pki`.' },
      { syntax: 'lifetime <time>', summary: 'How long certificates are valid; 12 hours if nothing is said.' },
      { syntax: 'sign_with_root', summary: 'Signs with the root, without an intermediate certificate.' },
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
    summary: 'Gets certificates from ZeroSSL by its own API.',
    options: [
      { syntax: 'listen_host <host>', summary: 'Where validations over HTTP arrive.' },
      { syntax: 'alt_http_port <port>', summary: 'The port that they arrive at.' },
      { syntax: 'dns <provider> …', summary: 'The provider of DNS challenges.', module: 'dns.providers' },
      { syntax: 'resolvers <address>…', summary: 'Name servers that are asked whether the record is there.' },
      {
        syntax: 'dns_challenge_override_domain <name>',
        summary: 'Where the record goes, if not below the name itself.',
      },
      { syntax: 'propagation_delay <time>', summary: 'How long is waited before anything is asked.' },
      {
        syntax: 'propagation_timeout <time>',
        summary: 'How long is waited for the record; `-1` does not look for it.',
      },
      { syntax: 'dns_ttl <time>', summary: 'How long the record may be cached.' },
    ],
    example: `example.com {
	tls {
		issuer zerossl {env.ZEROSSL_KEY}
	}
}
`,
  },
};
