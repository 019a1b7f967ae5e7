/** What the directive `error` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const error: Description = {
  syntax: ['error [<matcher>] <status>', 'error [<matcher>] <message> [<status>]'],
  summary: 'Ends a request with an error, which `handle_errors` may handle. The status is 500 where none is given.',
  options: [{ syntax: 'message <text>', summary: 'The message, on a line of its own.' }],
  example: `:8080 {
	error /secret* "not for you" 403
	handle_errors {
		respond "{err.status_code}: {err.message}"
	}
}
`,
};
