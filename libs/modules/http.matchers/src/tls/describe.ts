/** What the matcher `tls` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const tls: Description = {
  syntax: ['tls [early_data]'],
  summary: 'Matches if the connection uses TLS, or if the request was sent as early data.',
  example: `:8080 {
	@early tls early_data
	respond @early 425
}
`,
};
