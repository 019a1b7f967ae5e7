/** What the matcher `host` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const host: Description = {
  syntax: ['host <name>…'],
  summary: 'The host that the request is for. `*` stands for one label.',
  example: `:8080 {
	@sub host *.example.com
	respond @sub hi
}
`,
};
