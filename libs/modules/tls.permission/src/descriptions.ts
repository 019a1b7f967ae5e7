/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  http: {
    syntax: ['http <url>'],
    summary:
      'Asks a URL whether a certificate may be obtained for a name: `?domain=<name>` is added, and a status of 2xx is a yes.',
    options: [{ syntax: 'endpoint <url>', summary: 'The same, as a line of the block.' }],
    example: `{
	on_demand_tls {
		permission http http://127.0.0.1:9123/ask
	}
}

https:// {
	tls {
		on_demand
	}
	respond hi
}
`,
  },
};
