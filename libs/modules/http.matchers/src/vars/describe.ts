/** What the matcher `vars` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const vars: Description = {
  syntax: ['vars <name> <value>…'],
  summary: 'Matches if a variable or placeholder has one of these values.',
  example: `:8080 {
	vars tenant {header.X-Tenant}
	@acme vars {vars.tenant} acme
	respond @acme hi
}
`,
};
