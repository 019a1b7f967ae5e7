/** What the directive `tracing` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const tracing: Description = {
  syntax: ['tracing [<matcher>]'],
  summary: 'Propagates trace context, and creates a span for each request.',
  options: [
    { syntax: 'span <name>', summary: 'Span name.' },
    { syntax: 'span_attributes', summary: 'Span attributes, one name and value per line.' },
  ],
  example: `:8080 {
	tracing {
		span web
	}
	reverse_proxy localhost:9000
}
`,
};
