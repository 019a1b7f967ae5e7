/** What the directive `metrics` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const metrics: Description = {
  syntax: ['metrics [<matcher>]'],
  summary: 'Responds with the server metrics in Prometheus format.',
  options: [{ syntax: 'disable_openmetrics', summary: 'Disables content negotiation for the OpenMetrics format.' }],
  example: `:8080 {
	metrics /metrics
}
`,
};
