/** Registers this package with the server. */
import { trafficMeters } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { reportHeld } from './connections/report-held.ts';
import { addHistoryRoutes } from './history/admin-routes.ts';
import { addQlogRoutes } from './qlogs/admin-routes.ts';
import { addSampleRoutes } from './samples/admin-routes.ts';
import { addStatsRoutes } from './stats/admin-routes.ts';
import { addTraceRoutes } from './traces/admin-routes.ts';

/**
 * Registers `/stats` and its history, `/samples`, `/traces` and `/qlogs`. Also registers two features for configuration changes: the
 * dry-run report of active connections, and the traffic meter.
 */
export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('stats', addStatsRoutes);
  registry.hooks.adminRoutes.tap('stats-history', (routes) => addHistoryRoutes(routes, registry));
  registry.hooks.adminRoutes.tap('samples', addSampleRoutes);
  registry.hooks.adminRoutes.tap('traces', addTraceRoutes);
  registry.hooks.adminRoutes.tap('qlogs', addQlogRoutes);
  registry.hooks.server.tap('held', reportHeld);
  registry.contribute(trafficMeters, {
    name: 'http',
    load: async () => (await import('./stats/change-meter.ts')).meterChange,
    loadSides: async () => (await import('./stats/canary-meter.ts')).meterSides,
  });
}
