/** What the server registers of the core itself. */
import { addDebugRoutes } from './debug/admin-routes.ts';
import { loggingSection } from './logging/section.ts';
import { addMetricsRoute } from './metrics/index.ts';
import type { Registry } from './modules/registry.ts';
import { storageSection } from './storage/section.ts';

/** Adds the sections `logging` and `storage`, `GET /metrics` and `GET /debug/…`. */
export function register(registry: Registry): void {
  registry.addSection(loggingSection);
  registry.addSection(storageSection);
  registry.hooks.adminRoutes.tap('metrics', addMetricsRoute);
  registry.hooks.adminRoutes.tap('debug', addDebugRoutes);
}
