/** What the directive `copy_response_headers` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const copyResponseHeaders: Description = {
  syntax: ['copy_response_headers [<matcher>]'],
  summary:
    'Copies header fields of the upstream response: all but excluded ones, or only included ones. Only valid in `handle_response` of a proxy.',
  options: [
    { syntax: 'include <field>…', summary: 'Header fields to copy; all others are skipped.' },
    { syntax: 'exclude <field>…', summary: 'Header fields to skip; all others are copied.' },
  ],
  example: `:8080 {
	reverse_proxy localhost:9000 {
		@sorry status 5xx
		handle_response @sorry {
			copy_response_headers {
				include Retry-After
			}
			respond "try again later" 503
		}
	}
}
`,
};
