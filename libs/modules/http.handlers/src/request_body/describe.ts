/** What the directive `request_body` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const requestBody: Description = {
  syntax: ['request_body [<matcher>]'],
  summary: 'Limits or sets the body of requests.',
  options: [
    { syntax: 'max_size <size>', summary: 'Larger bodies are refused by 413.' },
    { syntax: 'set <text>', summary: 'Puts this body in place of the one that came.' },
  ],
  example: `:8080 {
	request_body {
		max_size 10MB
	}
	reverse_proxy localhost:9000
}
`,
};
