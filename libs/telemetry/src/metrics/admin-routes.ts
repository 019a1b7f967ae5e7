/** Admin API route `GET /metrics`: returns the combined metrics of all threads. */
import type { AdminRoutes } from '@sluice/registry';
import { SluiceError } from '@sluice/base';
import { threadBusToken } from '@sluice/threads';
import { metricsText } from './metrics-text.ts';

export function addMetricsRoute({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('../admin-operations.ts')).operations);
  router.get('/metrics', async (request, response) => {
    const bus = server.service(threadBusToken);
    if (bus === undefined)
      throw new SluiceError('ERR_METRICS', 'this server does not collect metrics', { status: 404 });
    const { contentType, text } = await metricsText(bus, request.get('accept'));
    response.setHeader('Content-Type', contentType).end(text);
  });
}
