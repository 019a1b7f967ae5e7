/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  http: {
    syntax: ['http <url>'],
    summary: 'Asks a URL for a certificate at each handshake for which there is none.',
    example: `example.com {
	tls {
		get_certificate http http://127.0.0.1:9123/certificates
	}
}
`,
  },
  selfsigned: {
    syntax: ['selfsigned'],
    summary: 'Makes a certificate that no client trusts by itself, for any name. The reference does not have it.',
    example: `example.com {
	tls {
		get_certificate selfsigned
	}
}
`,
  },
  tailscale: {
    syntax: ['tailscale'],
    summary: 'Asks the Tailscale that runs on this machine for certificates of its names.',
    example: `example.com {
	tls {
		get_certificate tailscale
	}
}
`,
  },
};
