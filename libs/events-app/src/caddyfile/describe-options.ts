/** What the global option `events` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const events: Description = {
  syntax: ['events'],
  summary: 'Runs handlers for server events, such as `cert_obtained` or `tls_get_certificate`. Can be repeated.',
  options: [
    {
      syntax: 'on <event> <handler> …',
      summary: 'Handler module with its options. `*` = all events.',
    },
  ],
  example: `{
	events {
		on cert_obtained exec systemctl reload postfix
	}
}
`,
};
