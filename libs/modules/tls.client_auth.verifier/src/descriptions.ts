/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  leaf: {
    syntax: ['leaf <loader> …', 'leaf'],
    summary: 'Accepts only the listed certificates.',
    module: 'tls.leaf_cert_loader',
    options: [{ syntax: '<loader> …', summary: 'Loads accepted certificates.', module: 'tls.leaf_cert_loader' }],
    example: `example.com {
	tls {
		client_auth {
			mode require_and_verify
			verifier leaf folder /etc/clients
		}
	}
}
`,
  },
};
