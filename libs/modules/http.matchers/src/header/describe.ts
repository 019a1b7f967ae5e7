/** What the matcher `header` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const header: Description = {
  syntax: ['header <field> [<value>]', 'header !<field>'],
  summary: 'A field of the request has a value, with `*` at its ends for any text; or is there; or, with `!`, is not.',
  example: `:8080 {
	@socket header Connection *Upgrade*
	respond @socket hi
}
`,
};
