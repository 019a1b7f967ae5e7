/** What the global options of the app `tls` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const tlsDescriptions: Readonly<Record<string, Description>> = {
  email: {
    syntax: ['email <address>'],
    summary: 'Email address of the account at certificate authorities.',
    example: `{
	email ada@example.com
}
`,
  },
  acme_ca: {
    syntax: ['acme_ca <url>'],
    summary: 'Directory URL of the ACME certificate authority.',
    example: `{
	acme_ca https://acme-staging-v02.api.letsencrypt.org/directory
}
`,
  },
  acme_ca_root: {
    syntax: ['acme_ca_root <file>'],
    summary: 'Root certificate to trust for HTTPS connections to the certificate authority.',
    example: `{
	acme_ca_root /etc/pebble.pem
}
`,
  },
  acme_dns: {
    syntax: ['acme_dns [<provider> …]'],
    summary:
      'Uses DNS challenges for all certificates, with this provider or that of `dns`. Providers are separate packages.',
    module: 'dns.providers',
    example: `{
	acme_dns cloudflare {env.CLOUDFLARE_TOKEN}
}
`,
  },
  dns: {
    syntax: ['dns <provider> …'],
    summary: 'Default DNS provider. Providers are separate packages.',
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
      'Accepted and kept in the JSON, no effect: Encrypted Client Hello with these public names is not supported in this build.',
    options: [
      { syntax: 'dns <provider> …', summary: 'DNS provider to publish the keys with.', module: 'dns.providers' },
    ],
    example: `{
	ech public.example.com
}
`,
  },
  acme_eab: {
    syntax: ['acme_eab'],
    summary: 'External account binding for ACME accounts.',
    options: [
      { syntax: 'key_id <id>', summary: 'Key ID.' },
      { syntax: 'mac_key <key>', summary: 'MAC key, base64url-encoded.' },
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
    summary: 'Certificate issuer. Can be repeated: issuers are tried in order.',
    module: 'tls.issuance',
    example: `{
	cert_issuer internal
}
`,
  },
  cert_lifetime: {
    syntax: ['cert_lifetime <time>'],
    summary: 'Requested validity period of certificates, if the certificate authority supports it.',
    example: `{
	cert_lifetime 30d
}
`,
  },
  key_type: {
    syntax: ['key_type ed25519|p256|p384|rsa2048|rsa4096'],
    summary: 'Key type of certificates.',
    example: `{
	key_type p384
}
`,
  },
  local_certs: {
    syntax: ['local_certs'],
    summary: "Issues all certificates with this server's own certificate authority.",
    example: `{
	local_certs
}
`,
  },
  ocsp_interval: {
    syntax: ['ocsp_interval <time>'],
    summary: 'Interval between checks of OCSP responses.',
    example: `{
	ocsp_interval 2h
}
`,
  },
  ocsp_stapling: {
    syntax: ['ocsp_stapling off'],
    summary: 'Disables OCSP stapling.',
    example: `{
	ocsp_stapling off
}
`,
  },
  on_demand_tls: {
    syntax: ['on_demand_tls'],
    summary: 'Permission to obtain certificates during handshakes, from a URL or a module.',
    options: [
      { syntax: 'ask <url>', summary: 'URL that is called with `?domain=`; 200 allows the certificate.' },
      { syntax: 'permission <module> …', summary: 'Module that decides.', module: 'tls.permission' },
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
    summary: 'Preferred chain, if the certificate authority offers several.',
    options: [
      {
        syntax: 'root_common_name <name>…',
        summary: 'Prefers the first chain whose root has one of these common names.',
      },
      {
        syntax: 'any_common_name <name>…',
        summary: 'Prefers the first chain that contains one of these common names.',
      },
    ],
    example: `{
	preferred_chains smallest
}
`,
  },
  renew_interval: {
    syntax: ['renew_interval <time>'],
    summary: 'Interval between checks of certificates.',
    example: `{
	renew_interval 30m
}
`,
  },
  renewal_window_ratio: {
    syntax: ['renewal_window_ratio <ratio>'],
    summary: 'Remaining fraction of the validity period at which a certificate is renewed.',
    example: `{
	renewal_window_ratio 0.5
}
`,
  },
  storage_check: {
    syntax: ['storage_check off'],
    summary: 'Disables the storage check before certificates are requested.',
    example: `{
	storage_check off
}
`,
  },
  storage_clean_interval: {
    syntax: ['storage_clean_interval <time>|off'],
    summary: 'Interval between removals of expired items from storage.',
    example: `{
	storage_clean_interval 7d
}
`,
  },
  tls_resolvers: {
    syntax: ['tls_resolvers <address>…'],
    summary: 'DNS servers for DNS challenges.',
    example: `{
	tls_resolvers 1.1.1.1
}
`,
  },
};
