/** What the directive `request_body` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const requestBody: Description = {
  syntax: ['request_body [<matcher>]'],
  summary: 'Limits or replaces request bodies.',
  options: [
    { syntax: 'max_size <size>', summary: 'Maximum body size. Larger bodies fail with 413.' },
    { syntax: 'set <text>', summary: 'Replaces the body.' },
  ],
  example: `:8080 {
	request_body {
		max_size 10MB
	}
	reverse_proxy localhost:9000
}
`,
};
