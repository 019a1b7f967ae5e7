/** What the matcher `path` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const path: Description = {
  syntax: ['path <path>…'],
  summary:
    'Matches by request path, case-insensitively. `*` matches any string: at the end (prefix), at the beginning (suffix), or elsewhere.',
  example: `:8080 {
	@api path /api/* /v2/*
	respond @api "the API"
}
`,
};
