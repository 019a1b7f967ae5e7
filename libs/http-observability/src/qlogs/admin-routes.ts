/**
 * Admin API endpoint `/qlogs`. `POST` requests logs of the next QUIC connections, `GET` returns logs, and `DELETE` cancels log requests and
 * deletes the logs.
 */
import { SluiceError } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { quicLogStoreToken, type QuicLogStore } from './quic-log-store.ts';

export function addQlogRoutes({ router, raw, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const store = (): QuicLogStore => {
    const found = server.service(quicLogStoreToken);
    if (found === undefined) throw refusal('this server does not log QUIC connections', 404);
    return found;
  };
  router.post('/qlogs', raw, async ({ body = Buffer.alloc(0) }, response) => {
    const { readLogRequest } = await import('./read-log-request.ts');
    response.json(store().begin(readLogRequest(body)));
  });
  router.delete('/qlogs', (_, response) => {
    response.json({ dropped: store().clear() });
  });
  router.get('/qlogs', (request, response) => {
    const id = idIn(request);
    if (id === null) {
      response.json({ requests: store().requests(), logs: store().logs() });
      return;
    }
    const text = store().text(id);
    if (text === null) throw refusal(`QUIC connection log ${JSON.stringify(id)} does not exist`, 404);
    response.set('Content-Type', 'application/qlog+json-seq').end(text);
  });
}

function idIn({ query }: AdminRequest): string | null {
  const [id = null] = [query['id'] ?? []].flat();
  return id;
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_QLOGS', message, { status });
}
