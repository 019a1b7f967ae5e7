/** Whether the latest change of the configuration came into force. */
import type { RunningServer } from '@sluice/registry';
import { metricsToken } from './gather.ts';

/** Keeps the reference's two metrics of reloads up to date. Taps `Registry.hooks.server`. */
export function countReloads(server: RunningServer): void {
  const metrics = server.service(metricsToken);
  if (metrics === undefined) return;
  const successful = metrics
    .gauge('caddy_config_last_reload_successful', 'Whether the last configuration reload attempt was successful.')
    .with();
  const at = metrics
    .gauge(
      'caddy_config_last_reload_success_timestamp_seconds',
      'Timestamp of the last successful configuration reload.',
    )
    .with();
  server.hooks.committed.tap('metrics', ({ time }) => {
    successful.set(1);
    at.set(time / 1000);
  });
  server.hooks.refused.tap('metrics', () => successful.set(0));
}
