/** What the directive `metrics` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const metrics: Description = {
  syntax: ['metrics [<matcher>]'],
  summary: 'Responds with the metrics of the server, for Prometheus.',
  options: [{ syntax: 'disable_openmetrics', summary: 'Does not offer the format OpenMetrics.' }],
  example: `:8080 {
	metrics /metrics
}
`,
};
