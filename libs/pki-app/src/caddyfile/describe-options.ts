/** What the global options of the app `pki` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const pkiDescriptions: Readonly<Record<string, Description>> = {
  pki: {
    syntax: ['pki'],
    summary: 'Configures the certificate authorities of this server.',
    options: [
      {
        syntax: 'ca [<id>]',
        summary: 'Certificate authority. Default: `local`.',
        options: [
          { syntax: 'name <name>', summary: 'Display name.' },
          { syntax: 'root_cn <name>', summary: 'Common name of the root certificate.' },
          { syntax: 'intermediate_cn <name>', summary: 'Common name of the intermediate certificate.' },
          { syntax: 'intermediate_lifetime <time>', summary: 'Validity period of the intermediate certificate.' },
          {
            syntax: 'root',
            summary: 'Files of a custom root certificate.',
            options: [
              { syntax: 'format pem_file', summary: 'File format.' },
              { syntax: 'cert <file>', summary: 'Certificate file.' },
              { syntax: 'key <file>', summary: 'Private key file.' },
            ],
          },
          {
            syntax: 'intermediate',
            summary: 'Files of a custom intermediate certificate.',
            options: [
              { syntax: 'format pem_file', summary: 'File format.' },
              { syntax: 'cert <file>', summary: 'Certificate file.' },
              { syntax: 'key <file>', summary: 'Private key file.' },
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
    summary: 'Does not install the root certificate in the trust stores of this machine.',
    example: `{
	skip_install_trust
}
`,
  },
};
