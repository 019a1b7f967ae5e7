/** What the matcher `path_regexp` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const pathRegexp: Description = {
  syntax: ['path_regexp [<name>] <regexp>'],
  summary: 'Matches the request path with a regular expression. Its capture groups are `{re.name.1}` or `{re.1}`.',
  example: `:8080 {
	@article path_regexp ^/articles/([0-9]+)$
	rewrite @article /article.html?id={re.1}
	file_server
}
`,
};
