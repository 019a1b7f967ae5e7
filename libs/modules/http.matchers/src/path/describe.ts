/** What the matcher `path` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const path: Description = {
  syntax: ['path <path>…'],
  summary:
    'The path of the request is one of these. `*` stands for any text: at the end (a prefix), at the beginning (a suffix), or elsewhere. Upper and lower case are the same.',
  example: `:8080 {
	@api path /api/* /v2/*
	respond @api "the API"
}
`,
};
