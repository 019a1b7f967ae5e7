/** What the global options of the app `pki` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const pkiDescriptions: Readonly<Record<string, Description>> = {
  pki: {
    syntax: ['pki'],
    summary: 'Changes the certificate authorities of this server.',
    options: [
      {
        syntax: 'ca [<id>]',
        summary: 'An authority; `local` where nothing is said.',
        options: [
          { syntax: 'name <name>', summary: 'Its name.' },
          { syntax: 'root_cn <name>', summary: 'The name in its root certificate.' },
          { syntax: 'intermediate_cn <name>', summary: 'The name in its intermediate certificate.' },
          { syntax: 'intermediate_lifetime <time>', summary: 'How long that is valid.' },
          {
            syntax: 'root',
            summary: 'Files of a root of yours.',
            options: [
              { syntax: 'format pem_file', summary: 'Their format.' },
              { syntax: 'cert <file>', summary: 'The certificate.' },
              { syntax: 'key <file>', summary: 'Its key.' },
            ],
          },
          {
            syntax: 'intermediate',
            summary: 'Files of an intermediate certificate of yours.',
            options: [
              { syntax: 'format pem_file', summary: 'Their format.' },
              { syntax: 'cert <file>', summary: 'The certificate.' },
              { syntax: 'key <file>', summary: 'Its key.' },
            ],
          },
        ],
      },
    ],
    example: `{
	pki {
		ca {
			name "Example authority"
		}
	}
}
`,
  },
  skip_install_trust: {
    syntax: ['skip_install_trust'],
    summary: 'The root certificate is not put among those that this machine trusts.',
    example: `{
	skip_install_trust
}
`,
  },
};
