/** Registers logging, metrics and profiling with the server. */
import { references, type Registry } from '@sluice/registry';
import { addDebugRoutes } from './debug/admin-routes.ts';
import { emitChanges } from './events/emit-changes.ts';
import { addLogRoutes } from './logging/admin-routes.ts';
import { loggingSection } from './logging/section.ts';
import { addMetricsRoute } from './metrics/admin-routes.ts';
import { countReloads } from './metrics/reload-metrics.ts';

/**
 * Registers the `logging` section and the routes `GET /metrics`, `GET /debug/…` and `GET /logs/stream`. Also registers the metrics and
 * events for configuration changes.
 */
export function register(registry: Registry): void {
  registry.hooks.server.tap('metrics', countReloads);
  registry.hooks.server.tap('events', emitChanges);
  registry.addSection(loggingSection);
  registry.hooks.adminRoutes.tap('metrics', addMetricsRoute);
  registry.hooks.adminRoutes.tap('debug', addDebugRoutes);
  registry.hooks.adminRoutes.tap('logs', addLogRoutes);
  registry.contribute(references, { name: '@sluice/telemetry', load: () => import('./reference.ts') });
}
