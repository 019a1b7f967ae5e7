/** What the directive `error` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const error: Description = {
  syntax: ['error [<matcher>] <status>', 'error [<matcher>] <message> [<status>]'],
  summary: 'Raises an error, which `handle_errors` may handle. Default status: 500.',
  options: [{ syntax: 'message <text>', summary: 'Error message, on a line of its own.' }],
  example: `:8080 {
	error /secret* "not for you" 403
	handle_errors {
		respond "{err.status_code}: {err.message}"
	}
}
`,
};
