/** What the global option `events` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const events: Description = {
  syntax: ['events'],
  summary:
    'Has handlers called for events of the server, such as `cert_obtained` or `tls_get_certificate`. Stands in several places, it adds up.',
  options: [
    {
      syntax: 'on <event> <handler> …',
      summary: 'The module that handles an event, with its options. `*` stands for all events.',
    },
  ],
  example: `{
	events {
		on cert_obtained exec systemctl reload postfix
	}
}
`,
};
