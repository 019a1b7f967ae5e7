/** Registers this package with the server. */
import { trafficMeters } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { reportHeld } from './connections/report-held.ts';
import { Sampling } from './history/sampling.ts';

/**
 * Registers `/stats` and its history, `/samples`, `/traces` and `/qlogs`. Also registers two features for configuration changes: the
 * dry-run report of active connections, and the traffic meter.
 */
export function register(registry: Registry): void {
  const { adminRoutes } = registry.hooks;
  adminRoutes.tap('stats', ({ lazy }) =>
    lazy(['GET /stats', 'GET /stats/stream'], async () => (await import('./stats/admin-routes.ts')).addStatsRoutes),
  );
  adminRoutes.tap('stats-history', ({ lazy, server }) => {
    const sampling = new Sampling(server, registry);
    sampling.start();
    lazy(['GET /stats/history', 'GET /stats/listeners'], async () => {
      const { addHistoryRoutes } = await import('./history/admin-routes.ts');
      return (routes) => addHistoryRoutes(routes, sampling);
    });
  });
  adminRoutes.tap('samples', ({ lazy }) =>
    lazy(
      ['GET /samples', 'POST /samples', 'DELETE /samples'],
      async () => (await import('./samples/admin-routes.ts')).addSampleRoutes,
    ),
  );
  adminRoutes.tap('traces', ({ lazy }) =>
    lazy(
      ['POST /traces', 'DELETE /traces', 'GET /traces'],
      async () => (await import('./traces/admin-routes.ts')).addTraceRoutes,
    ),
  );
  adminRoutes.tap('qlogs', ({ lazy }) =>
    lazy(
      ['POST /qlogs', 'DELETE /qlogs', 'GET /qlogs'],
      async () => (await import('./qlogs/admin-routes.ts')).addQlogRoutes,
    ),
  );
  registry.hooks.server.tap('held', reportHeld);
  registry.contribute(trafficMeters, {
    name: 'http',
    load: async () => (await import('./stats/change-meter.ts')).meterChange,
    loadSides: async () => (await import('./stats/canary-meter.ts')).meterSides,
  });
}
