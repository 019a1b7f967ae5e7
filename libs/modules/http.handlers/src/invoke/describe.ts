/** What the directive `invoke` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const invoke: Description = {
  syntax: ['invoke [<matcher>] <name>'],
  summary: 'Runs a named route, defined outside of sites: `&(name) { … }`.',
  example: `&(backend) {
	reverse_proxy localhost:9000
}

:8080 {
	invoke backend
}
`,
};
