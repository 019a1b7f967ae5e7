/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  exec: {
    syntax: ['exec <command> [<argument>…]'],
    summary: 'Runs a command for an event. Placeholders of the event are replaced.',
    example: `{
	events {
		on cert_obtained exec systemctl reload mail
	}
}

:8080 {
	respond hi
}
`,
  },
};
