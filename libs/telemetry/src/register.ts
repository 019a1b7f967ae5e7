/** Registers logging, metrics and profiling with the server. */
import { references, type Registry } from '@sluice/registry';
import { emitChanges } from './events/emit-changes.ts';
import { loggingSection } from './logging/section.ts';
import { countReloads } from './metrics/reload-metrics.ts';

/**
 * Registers the `logging` section and the routes `GET /metrics`, `GET /debug/…` and `GET /logs/stream`. Also registers the metrics and
 * events for configuration changes.
 */
export function register(registry: Registry): void {
  registry.hooks.server.tap('metrics', countReloads);
  registry.hooks.server.tap('events', emitChanges);
  registry.addSection(loggingSection);
  const { adminRoutes } = registry.hooks;
  adminRoutes.tap('metrics', ({ lazy }) =>
    lazy(['GET /metrics'], async () => (await import('./metrics/admin-routes.ts')).addMetricsRoute),
  );
  adminRoutes.tap('debug', ({ lazy }) =>
    lazy(
      ['GET /debug/vars', 'GET /debug/pprof/profile', 'GET /debug/pprof/heap', 'GET /debug/pprof/{*rest}'],
      async () => (await import('./debug/admin-routes.ts')).addDebugRoutes,
    ),
  );
  adminRoutes.tap('logs', ({ lazy }) =>
    lazy(['GET /logs/stream'], async () => (await import('./logging/admin-routes.ts')).addLogRoutes),
  );
  registry.contribute(references, { name: '@sluice/telemetry', load: () => import('./reference.ts') });
}
