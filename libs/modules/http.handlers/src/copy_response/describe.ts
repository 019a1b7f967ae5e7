/** What the directive `copy_response` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const copyResponse: Description = {
  syntax: ['copy_response [<matcher>] [<status>]'],
  summary: 'Writes the upstream response, optionally with another status. Only valid in `handle_response` of a proxy.',
  options: [{ syntax: 'status <status>', summary: 'Status code.' }],
  example: `:8080 {
	reverse_proxy localhost:9000 {
		@missing status 404
		handle_response @missing {
			copy_response 410
		}
	}
}
`,
};
