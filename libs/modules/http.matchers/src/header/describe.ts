/** What the matcher `header` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const header: Description = {
  syntax: ['header <field> [<value>]', 'header !<field>'],
  summary:
    'Matches if a request header field has a value (`*` at either end matches any string), exists, or with `!` does not exist.',
  example: `:8080 {
	@socket header Connection *Upgrade*
	respond @socket hi
}
`,
};
