/** What the matcher `query` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const query: Description = {
  syntax: ['query <key>=<value>…'],
  summary: 'Matches if the query has a key with a value; `*` matches any value.',
  example: `:8080 {
	@search query q=*
	respond @search "{query.q}"
}
`,
};
