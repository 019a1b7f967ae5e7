import type { RunningServer } from '@sluice/registry';
import { declareGauge } from './declare.ts';
import { metricsToken } from './gather.ts';

export const reloadMetrics = {
  successful: declareGauge(
    'caddy_config_last_reload_successful',
    'Whether the last configuration reload attempt was successful.',
  ),
  at: declareGauge(
    'caddy_config_last_reload_success_timestamp_seconds',
    'Timestamp of the last successful configuration reload.',
  ),
};

/** Updates Caddy's two reload metrics. Subscribes to `Registry.hooks.server`. */
export function countReloads(server: RunningServer): void {
  const metrics = server.service(metricsToken);
  if (metrics === undefined) return;
  const successful = metrics.family(reloadMetrics.successful).with();
  const at = metrics.family(reloadMetrics.at).with();
  server.hooks.committed.tap('metrics', ({ time }) => {
    successful.set(1);
    at.set(time / 1000);
  });
  server.hooks.refused.tap('metrics', () => successful.set(0));
}
