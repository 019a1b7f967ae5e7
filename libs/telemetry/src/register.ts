/** What the server registers for its own logs, metrics and profiles. */
import type { Registry } from '@sluice/registry';
import { addDebugRoutes } from './debug/admin-routes.ts';
import { loggingSection } from './logging/section.ts';
import { addMetricsRoute } from './metrics/admin-routes.ts';

/** Adds the section `logging`, `GET /metrics` and `GET /debug/…`. */
export function register(registry: Registry): void {
  registry.addSection(loggingSection);
  registry.hooks.adminRoutes.tap('metrics', addMetricsRoute);
  registry.hooks.adminRoutes.tap('debug', addDebugRoutes);
}
