/** What `route`, `handle`, `handle_path` and `handle_errors` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const route: Description = {
  syntax: ['route [<matcher>]'],
  summary: 'Runs the directives of its block in the given order, instead of the default order.',
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
    'Runs a block of directives. Adjacent `handle` blocks are mutually exclusive: only the first that matches runs. Blocks with more specific paths come first, blocks without a matcher last.',
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
  summary: 'Like `handle`, but strips the path prefix before the `*` from the request.',
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
    'Runs a block of directives if a request fails, optionally only for some statuses. Classes are written as `5xx`. Placeholders such as `{err.status_code}` describe the error.',
  block: 'directives',
  example: `:8080 {
	error /private* 403
	handle_errors 403 5xx {
		respond "{err.status_code} {err.status_text}"
	}
}
`,
};
