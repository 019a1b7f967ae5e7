/** What the directive `intercept` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const intercept: Description = {
  syntax: ['intercept [<matcher>]'],
  summary: 'Handles responses of later handlers with directives, or changes their status.',
  options: [
    { syntax: 'replace_status [@<matcher>] <status>', summary: 'Changes the status of matching responses.' },
    {
      syntax: 'handle_response [@<matcher>]',
      summary: 'Handles matching responses with directives.',
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
