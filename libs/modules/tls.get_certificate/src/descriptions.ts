/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  http: {
    syntax: ['http <url>'],
    summary: 'Requests a certificate from a URL during each handshake that has none.',
    example: `example.com {
	tls {
		get_certificate http http://127.0.0.1:9123/certificates
	}
}
`,
  },
  selfsigned: {
    syntax: ['selfsigned'],
    summary: 'Generates a self-signed certificate for any name. Not available in Caddy.',
    example: `example.com {
	tls {
		get_certificate selfsigned
	}
}
`,
  },
  tailscale: {
    syntax: ['tailscale'],
    summary: 'Requests certificates for Tailscale names from the local Tailscale daemon.',
    example: `example.com {
	tls {
		get_certificate tailscale
	}
}
`,
  },
};
