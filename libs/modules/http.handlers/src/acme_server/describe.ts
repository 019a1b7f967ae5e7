/** What the directive `acme_server` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const acmeServer: Description = {
  syntax: ['acme_server [<matcher>]'],
  summary: 'Issues certificates over ACME, signed by an authority of this server.',
  options: [
    { syntax: 'ca <id>', summary: 'The authority; `local` where nothing is said.' },
    { syntax: 'lifetime <time>', summary: 'How long certificates are valid.' },
    { syntax: 'resolvers <address>…', summary: 'DNS servers that challenges are looked up with.' },
    { syntax: 'challenges <name>…', summary: 'Which challenges are offered: `http-01`, `tls-alpn-01`, `dns-01`.' },
    { syntax: 'sign_with_root', summary: 'Signs by the root itself.' },
    { syntax: 'allow_wildcard_names', summary: 'Issues for wildcards too.' },
    {
      syntax: 'allow',
      summary: 'Names and addresses that may have certificates.',
      options: [
        { syntax: 'domains <name>…', summary: 'Names; `*.` stands for all below.' },
        { syntax: 'ip_ranges <range>…', summary: 'Ranges of addresses.' },
      ],
    },
    {
      syntax: 'deny',
      summary: 'Those that may not.',
      options: [
        { syntax: 'domains <name>…', summary: 'Names; `*.` stands for all below.' },
        { syntax: 'ip_ranges <range>…', summary: 'Ranges of addresses.' },
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
