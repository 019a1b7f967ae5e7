/** What the matcher `url_pattern` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const urlPattern: Description = {
  syntax: ['url_pattern <pattern>'],
  summary: 'The path matches a pattern such as `/books/:id`.',
  options: [{ syntax: 'ignore_case', summary: 'Upper and lower case are the same.' }],
  example: `:8080 {
	@book url_pattern /books/:id
	respond @book hi
}
`,
};
