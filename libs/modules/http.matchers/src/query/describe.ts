/** What the matcher `query` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const query: Description = {
  syntax: ['query <key>=<value>…'],
  summary: 'The query has a key with a value; `*` stands for any.',
  example: `:8080 {
	@search query q=*
	respond @search "{query.q}"
}
`,
};
