/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  static: {
    syntax: ['static <range>…'],
    summary: 'IP addresses and CIDR ranges; `private_ranges` stands for all private ranges.',
    example: `{
	servers {
		trusted_proxies static private_ranges 192.0.2.0/24
	}
}

:8080 {
	respond hi
}
`,
  },
};
