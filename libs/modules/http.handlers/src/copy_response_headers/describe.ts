/** What the directive `copy_response_headers` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const copyResponseHeaders: Description = {
  syntax: ['copy_response_headers [<matcher>]'],
  summary:
    'Copies fields of the response of the upstream, within `handle_response` of a proxy: all but those that are excluded, or only those that are included.',
  options: [
    { syntax: 'include <field>…', summary: 'Only these.' },
    { syntax: 'exclude <field>…', summary: 'All but these.' },
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
