/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  file: {
    syntax: ['file <path>…'],
    summary: 'Certificates in files.',
    example: `example.com {
	tls {
		client_auth {
			mode require_and_verify
			verifier leaf file /etc/clients/ada.pem
		}
	}
}
`,
  },
  folder: {
    syntax: ['folder <path>…'],
    summary: 'Certificates in all files of directories.',
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
  pem: {
    syntax: ['pem <certificate>…'],
    summary: 'PEM certificates in the configuration itself.',
    example: `example.com {
	tls {
		client_auth {
			mode require_and_verify
			verifier leaf {
				pem "{file./etc/clients/ada.pem}"
			}
		}
	}
}
`,
  },
};
