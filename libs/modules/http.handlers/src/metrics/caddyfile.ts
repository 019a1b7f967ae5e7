/** The directive `metrics [matcher] { disable_openmetrics }`. */
import { flag, handler, none } from '@sluice/caddyfile';

export const metrics = handler('metrics', {
  line: none,
  block: { disable_openmetrics: flag({ takes: 'lax' }) },
  unknown: (option) => `unrecognized subdirective ${JSON.stringify(option)}`,
  example: 'metrics /metrics',
});
