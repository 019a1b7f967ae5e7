/** Admin API endpoint `GET /layer4/routes`, which returns connections by route. */
import type { AdminRoutes } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';

/** Adds the endpoint. The code that counts connections is loaded on the first request. */
export function addLayer4Routes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/layer4/routes', async (_, response) => {
    const { routeCounts, sumCounts } = await import('./connection/route-counts.ts');
    const counts = (await server.service(threadBusToken)?.gather(routeCounts, null)) ?? [];
    response.json(sumCounts(counts));
  });
}
