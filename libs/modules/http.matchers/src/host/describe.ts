/** What the matcher `host` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const host: Description = {
  syntax: ['host <name>…'],
  summary: 'Matches by host of the request. `*` matches one label.',
  example: `:8080 {
	@sub host *.example.com
	respond @sub hi
}
`,
};
