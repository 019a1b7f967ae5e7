/** What the matcher `expression` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const expression: Description = {
  syntax: ['expression <expression>'],
  summary:
    'Matches by CEL expression, which may contain placeholders and call other matchers. In backticks, the matcher name can be omitted: @x `{method} == "GET"`.',
  example: `:8080 {
	@fresh expression \`{query.page}.size() > 0 && path("/list*")\`
	respond @fresh hi
}
`,
};
