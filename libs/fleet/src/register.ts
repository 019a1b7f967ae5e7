/** Registers the fleet routes on every server. The implementation is loaded by the first request, or when the server joins a fleet. */
import { fleetHandle } from '@sluice/contracts';
import { references, type AdminHandler, type Registry } from '@sluice/registry';
import type { FleetRoute } from './admin/routes.ts';

export { fleetAddresses, type FleetAddress } from './addresses.ts';

export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('fleet', ({ router, server, describe }) => {
    describe(async () => (await import('./admin/operations.ts')).operations);
    const serve =
      (route: FleetRoute): AdminHandler =>
      async (request, response) => {
        const { fleetRoutes } = await import('./admin/routes.ts');
        await fleetRoutes[route](request, response, server.service(fleetHandle)?.membership ?? null);
      };
    router.get('/readyz', async (_request, response) => {
      const { respondToReady } = await import('./admin/ready.ts');
      respondToReady(response, server.document, server.service(fleetHandle)?.membership ?? null);
    });
    router.get('/fleet', serve('status'));
    router.get('/fleet/events', serve('events'));
    router.get('/fleet/history', serve('history'));
    router.get('/fleet/history/:revision', serve('revision'));
    router.post('/fleet/history/:revision/apply', serve('apply'));
    router.post('/fleet/confirm', serve('confirm'));
    router.get('/fleet/ops/:op', serve('operation'));
    router.get('/fleet/rollout', serve('rollout'));
    router.post('/fleet/rollout/pause', serve('pauseRollout'));
    router.post('/fleet/rollout/resume', serve('resumeRollout'));
    router.post('/fleet/rollout/abort', serve('abortRollout'));
    router.post('/fleet/adopt', serve('adopt'));
    router.post('/fleet/leave', async (_request, response) => {
      const { leaveFleet } = await import('./admin/leave.ts');
      await leaveFleet(response, server.service(fleetHandle));
    });
    router.post('/fleet/retry', serve('retry'));
    router.post('/fleet/members/:name/drain', serve('drain'));
    router.delete('/fleet/members/:name/drain', serve('undrain'));
  });
  registry.contribute(references, { name: '@sluice/fleet', load: () => import('./reference.ts') });
}
