/** What the directive `tracing` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const tracing: Description = {
  syntax: ['tracing [<matcher>]'],
  summary: 'Passes the context of traces on, and makes a span for each request.',
  options: [
    { syntax: 'span <name>', summary: 'The name of the span.' },
    { syntax: 'span_attributes', summary: 'Attributes of the span, a name and a value a line.' },
  ],
  example: `:8080 {
	tracing {
		span web
	}
	reverse_proxy localhost:9000
}
`,
};
