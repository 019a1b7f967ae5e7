/** Admin API endpoint `/samples`. `GET` returns recorded requests, `POST` imports requests, and `DELETE` deletes all of them. */
import { SluiceError, type JsonObject } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { requestSamplesToken, type RequestSamples } from './request-samples.ts';

export function addSampleRoutes({ router, raw, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const samples = (): RequestSamples => {
    const found = server.service(requestSamplesToken);
    if (found === undefined)
      throw new SluiceError('ERR_SAMPLES', 'this server does not record requests', { status: 404 });
    return found;
  };
  router.get('/samples', async (request, response) => {
    const format = formatIn(request);
    const kept = samples();
    const records = kept.records();
    if (format === 'har') {
      const { archiveOf } = await import('./har.ts');
      response.json(archiveOf(records));
      return;
    }
    const { perRoute, maxRequests } = kept.settings;
    response.json({ count: records.length, per_route: perRoute, max_requests: maxRequests, requests: records });
  });
  router.post('/samples', raw, async ({ body = Buffer.alloc(0) }, response) => {
    const kept = samples();
    if (kept.settings.perRoute === 0)
      throw new SluiceError('ERR_SAMPLES', 'apps.http.samples.disable is set: remove it to record requests', {
        status: 409,
      });
    const { recordsIn } = await import('./har.ts');
    const records = recordsIn(body);
    for (const record of records) kept.add(keyOf(record), JSON.stringify(record));
    response.json({ imported: records.length, count: kept.count });
  });
  router.delete('/samples', (_, response) => {
    response.json({ dropped: samples().clear() });
  });
}

function keyOf({ server, route, request }: JsonObject): string {
  const { host, method, path } = request as JsonObject;
  const place = route === null ? [method, path] : [route];
  return JSON.stringify(['imported', server, host, ...place]);
}

function formatIn({ query: { format = 'json' } }: AdminRequest): 'json' | 'har' {
  if (format === 'json' || format === 'har') return format;
  throw new SluiceError('ERR_SAMPLES', `format must be json or har, not ${JSON.stringify(format)}`, { status: 400 });
}
