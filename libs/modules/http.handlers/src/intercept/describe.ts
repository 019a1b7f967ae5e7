/** What the directive `intercept` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const intercept: Description = {
  syntax: ['intercept [<matcher>]'],
  summary: 'Handles responses of later handlers by directives, or changes their status.',
  options: [
    { syntax: 'replace_status [@<matcher>] <status>', summary: 'Changes the status of responses that match.' },
    {
      syntax: 'handle_response [@<matcher>]',
      summary: 'Handles responses that match by directives.',
      block: 'directives',
    },
  ],
  example: `:8080 {
	intercept {
		@missing status 404
		handle_response @missing {
			respond "nothing at {path}" 404
		}
	}
	file_server
}
`,
};
