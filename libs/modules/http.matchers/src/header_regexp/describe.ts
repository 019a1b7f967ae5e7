/** What the matcher `header_regexp` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const headerRegexp: Description = {
  syntax: ['header_regexp [<name>] <field> <regexp>'],
  summary:
    'Matches a request header field with a regular expression. Its capture groups are `{re.name.1}` or `{re.1}`.',
  example: `:8080 {
	@login header_regexp login Cookie login_([a-f0-9]+)
	respond @login "{re.login.1}"
}
`,
};
