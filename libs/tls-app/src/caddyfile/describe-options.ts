/** What the global options of the app `tls` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const tlsDescriptions: Readonly<Record<string, Description>> = {
  email: {
    syntax: ['email <address>'],
    summary: 'The address of the account at certificate authorities.',
    example: `{
	email ada@example.com
}
`,
  },
  acme_ca: {
    syntax: ['acme_ca <url>'],
    summary: 'The directory of the certificate authority.',
    example: `{
	acme_ca https://acme-staging-v02.api.letsencrypt.org/directory
}
`,
  },
  acme_ca_root: {
    syntax: ['acme_ca_root <file>'],
    summary: "The certificate that the authority's own HTTPS is trusted by.",
    example: `{
	acme_ca_root /etc/pebble.pem
}
`,
  },
  acme_dns: {
    syntax: ['acme_dns [<provider> …]'],
    summary:
      'All certificates are obtained by DNS challenges, with this provider or that of `dns`. Providers are packages of their own.',
    module: 'dns.providers',
    example: `{
	acme_dns cloudflare {env.CLOUDFLARE_TOKEN}
}
`,
  },
  dns: {
    syntax: ['dns <provider> …'],
    summary: 'The provider of DNS that is taken where none is named. Providers are packages of their own.',
    module: 'dns.providers',
    example: `{
	dns cloudflare {env.CLOUDFLARE_TOKEN}
	acme_dns
}
`,
  },
  ech: {
    syntax: ['ech <public_name>…'],
    summary:
      'Asks for Encrypted Client Hello with these public names. It has no effect in this build; what is written is kept in the JSON.',
    options: [{ syntax: 'dns <provider> …', summary: 'Where the keys are published.', module: 'dns.providers' }],
    example: `{
	ech public.example.com
}
`,
  },
  acme_eab: {
    syntax: ['acme_eab'],
    summary: 'The external account that ACME accounts are bound to.',
    options: [
      { syntax: 'key_id <id>', summary: 'Its identifier.' },
      { syntax: 'mac_key <key>', summary: 'Its key, as base64url.' },
    ],
    example: `{
	acme_eab {
		key_id kid-1
		mac_key c2VjcmV0
	}
}
`,
  },
  cert_issuer: {
    syntax: ['cert_issuer <module> …'],
    summary: 'Who issues certificates. It may stand several times: those are asked one after the other.',
    module: 'tls.issuance',
    example: `{
	cert_issuer internal
}
`,
  },
  cert_lifetime: {
    syntax: ['cert_lifetime <time>'],
    summary: 'How long certificates should be valid, where the authority lets one choose.',
    example: `{
	cert_lifetime 30d
}
`,
  },
  key_type: {
    syntax: ['key_type ed25519|p256|p384|rsa2048|rsa4096'],
    summary: 'The type of the keys of certificates.',
    example: `{
	key_type p384
}
`,
  },
  local_certs: {
    syntax: ['local_certs'],
    summary: 'All certificates are issued by this server itself.',
    example: `{
	local_certs
}
`,
  },
  ocsp_interval: {
    syntax: ['ocsp_interval <time>'],
    summary: 'How often OCSP responses are looked after.',
    example: `{
	ocsp_interval 2h
}
`,
  },
  ocsp_stapling: {
    syntax: ['ocsp_stapling off'],
    summary: 'Certificates go without OCSP responses.',
    example: `{
	ocsp_stapling off
}
`,
  },
  on_demand_tls: {
    syntax: ['on_demand_tls'],
    summary: 'Whether a certificate may be obtained during a handshake: asked of a URL, or of a module.',
    options: [
      { syntax: 'ask <url>', summary: 'Is asked with `?domain=`; 200 means yes.' },
      { syntax: 'permission <module> …', summary: 'A module that decides.', module: 'tls.permission' },
    ],
    example: `{
	on_demand_tls {
		ask http://localhost:5555/allowed
	}
}
`,
  },
  preferred_chains: {
    syntax: ['preferred_chains [smallest]'],
    summary: 'Which chain is taken of several that the authority offers.',
    options: [
      { syntax: 'root_common_name <name>…', summary: 'The first whose root has one of these names.' },
      { syntax: 'any_common_name <name>…', summary: 'The first that has one of these names.' },
    ],
    example: `{
	preferred_chains smallest
}
`,
  },
  renew_interval: {
    syntax: ['renew_interval <time>'],
    summary: 'How often certificates are looked after.',
    example: `{
	renew_interval 30m
}
`,
  },
  renewal_window_ratio: {
    syntax: ['renewal_window_ratio <ratio>'],
    summary: 'The part of its life that is left when a certificate is renewed.',
    example: `{
	renewal_window_ratio 0.5
}
`,
  },
  storage_check: {
    syntax: ['storage_check off'],
    summary: 'The storage is not tried before certificates are asked for.',
    example: `{
	storage_check off
}
`,
  },
  storage_clean_interval: {
    syntax: ['storage_clean_interval <time>|off'],
    summary: 'How often what is expired is deleted from the storage.',
    example: `{
	storage_clean_interval 7d
}
`,
  },
  tls_resolvers: {
    syntax: ['tls_resolvers <address>…'],
    summary: 'DNS servers for challenges over DNS.',
    example: `{
	tls_resolvers 1.1.1.1
}
`,
  },
};
