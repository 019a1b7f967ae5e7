/** What the matcher `not` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const not: Description = {
  syntax: ['not <matcher> …'],
  summary: 'Matches if none of its matchers match.',
  block: 'matchers',
  example: `:8080 {
	@outside not path /public/*
	respond @outside 403
}
`,
};
