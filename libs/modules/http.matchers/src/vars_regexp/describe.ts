/** What the matcher `vars_regexp` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const varsRegexp: Description = {
  syntax: ['vars_regexp [<name>] <variable> <regexp>'],
  summary: 'Matches a variable or placeholder with a regular expression.',
  example: `:8080 {
	@old vars_regexp {header.User-Agent} MSIE
	respond @old "please update"
}
`,
};
