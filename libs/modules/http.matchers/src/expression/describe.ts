/** What the matcher `expression` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const expression: Description = {
  syntax: ['expression <expression>'],
  summary:
    'An expression in CEL, which may have placeholders and calls of other matchers. In backticks it needs no name: @x `{method} == "GET"`.',
  example: `:8080 {
	@fresh expression \`{query.page}.size() > 0 && path("/list*")\`
	respond @fresh hi
}
`,
};
