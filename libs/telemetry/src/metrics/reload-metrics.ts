/** Whether the latest change of the configuration came into force. */
import type { Engine } from '@sluice/engine';
import type { Metrics } from './families.ts';

/** Keeps the reference's two metrics of reloads up to date. Called once, by the control thread. */
export function countReloads(engine: Engine, metrics: Metrics): void {
  const successful = metrics
    .gauge('caddy_config_last_reload_successful', 'Whether the last configuration reload attempt was successful.')
    .with();
  const at = metrics
    .gauge(
      'caddy_config_last_reload_success_timestamp_seconds',
      'Timestamp of the last successful configuration reload.',
    )
    .with();
  engine.onApplied(({ time }) => {
    successful.set(1);
    at.set(time / 1000);
  });
  engine.onRefused(() => successful.set(0));
}
