/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  url: {
    syntax: ['url <url>'],
    summary: 'Connects through a proxy: HTTP, HTTPS or SOCKS5.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		transport http {
			network_proxy url http://proxy.example.com:3128
		}
	}
}
`,
  },
  none: {
    syntax: ['none'],
    summary: 'Connects without a proxy, ignoring environment variables.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		transport http {
			network_proxy none
		}
	}
}
`,
  },
};
