/** `GET /layer4/routes` of the admin API: connections by route. */
import type { AdminRoutes } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';

/** Adds the route. The first request loads the code for counting. */
export function addLayer4Routes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/layer4/routes', async (_, response) => {
    const { routeCounts, sumCounts } = await import('./connection/route-counts.ts');
    const counts = (await server.service(threadBusToken)?.gather(routeCounts, null)) ?? [];
    response.json(sumCounts(counts));
  });
}
