/** What the matcher `url_pattern` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const urlPattern: Description = {
  syntax: ['url_pattern <pattern>'],
  summary: 'Matches the path with a pattern such as `/books/:id`.',
  options: [{ syntax: 'ignore_case', summary: 'Ignores case.' }],
  example: `:8080 {
	@book url_pattern /books/:id
	respond @book hi
}
`,
};
