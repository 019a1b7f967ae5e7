/** What the directive `acme_server` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const acmeServer: Description = {
  syntax: ['acme_server [<matcher>]'],
  summary: 'Issues certificates over ACME, signed by a certificate authority of this server.',
  options: [
    { syntax: 'ca <id>', summary: 'ID of the certificate authority. Default: `local`.' },
    { syntax: 'lifetime <time>', summary: 'Validity period of certificates.' },
    { syntax: 'resolvers <address>…', summary: 'DNS servers for validating challenges.' },
    { syntax: 'challenges <name>…', summary: 'Challenge types to offer: `http-01`, `tls-alpn-01`, `dns-01`.' },
    { syntax: 'sign_with_root', summary: 'Signs certificates with the root instead of the intermediate.' },
    { syntax: 'allow_wildcard_names', summary: 'Allows wildcard certificates.' },
    {
      syntax: 'allow',
      summary: 'Domain names and IP addresses that are allowed in certificates.',
      options: [
        { syntax: 'domains <name>…', summary: 'Domain names; `*.` matches one additional label.' },
        { syntax: 'ip_ranges <range>…', summary: 'IP address ranges.' },
      ],
    },
    {
      syntax: 'deny',
      summary: 'Domain names and IP addresses that are denied in certificates.',
      options: [
        { syntax: 'domains <name>…', summary: 'Domain names; `*.` matches one additional label.' },
        { syntax: 'ip_ranges <range>…', summary: 'IP address ranges.' },
      ],
    },
  ],
  example: `:8080 {
	acme_server {
		ca local
		lifetime 12h
		allow {
			domains *.internal.example
		}
	}
}
`,
};
