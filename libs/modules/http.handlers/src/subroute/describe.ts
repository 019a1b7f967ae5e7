/** What `route`, `handle`, `handle_path` and `handle_errors` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const route: Description = {
  syntax: ['route [<matcher>]'],
  summary: 'Runs the directives of its block in the order they are written in, instead of the usual one.',
  block: 'directives',
  example: `:8080 {
	route /api/* {
		uri strip_prefix /api
		respond {path}
	}
}
`,
};

export const handle: Description = {
  syntax: ['handle [<matcher>]'],
  summary:
    'Runs a block of directives. Of several `handle` blocks side by side only the first that matches is run; the one with the most specific path comes first, the one without a matcher last.',
  block: 'directives',
  example: `:8080 {
	handle /api/* {
		reverse_proxy localhost:9000
	}
	handle {
		respond "not the API"
	}
}
`,
};

export const handlePath: Description = {
  syntax: ['handle_path <path>'],
  summary: 'As `handle`, and takes from the path of the request what comes before the `*`.',
  block: 'directives',
  example: `:8080 {
	handle_path /static/* {
		root /srv/static
		file_server
	}
}
`,
};

export const handleErrors: Description = {
  syntax: ['handle_errors [<status>…]'],
  summary:
    'Runs a block of directives for requests that ended with an error: any, or one with a status of a list. Classes are written as `5xx`. Placeholders such as `{err.status_code}` tell what happened.',
  block: 'directives',
  example: `:8080 {
	error /private* 403
	handle_errors 403 5xx {
		respond "{err.status_code} {err.status_text}"
	}
}
`,
};
