/** What the matcher `method` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const method: Description = {
  syntax: ['method <method>…'],
  summary: 'Matches by request method.',
  example: `:8080 {
	@write method POST PUT PATCH DELETE
	respond @write 405
}
`,
};
