/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  http: {
    syntax: ['http <url>'],
    summary:
      'Calls a URL with `?domain=<name>` to check whether a certificate may be obtained for a name; a 2xx status allows it.',
    options: [{ syntax: 'endpoint <url>', summary: 'The same option, on a line of the block.' }],
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
