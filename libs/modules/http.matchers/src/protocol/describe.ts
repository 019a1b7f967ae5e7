/** What the matcher `protocol` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const protocol: Description = {
  syntax: ['protocol <name>'],
  summary: 'Matches by protocol: `http`, `https`, `grpc`, or a version such as `http/2` or `http/1.1+`.',
  example: `:8080 {
	@plain protocol http
	redir @plain https://{host}{uri}
}
`,
};
