/** Implements `GET /events` of the admin API. `?name=…` and `?origin=…` filter the events and may be repeated. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventHubToken } from '@sluice/telemetry';
import { guarded, taskOf, SluiceError } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import { eventStream } from './event-stream.ts';

/** Maximum number of concurrent clients of `GET /events`. */
const maxClients = 64;

export function addEventRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  let clients = 0;
  router.get('/events', async ({ query }, response) => {
    const hub = server.service(eventHubToken);
    if (hub === undefined) throw new SluiceError('ERR_EVENTS', 'this server does not emit events', { status: 404 });
    if (clients >= maxClients)
      throw new SluiceError('ERR_EVENTS', `${maxClients} clients are already streaming events`, { status: 503 });
    clients++;
    const gone = new AbortController();
    const onClose = guarded(taskOf('events'), () => {
      clients--;
      gone.abort();
    });
    response.once('close', onClose);
    const filter = { names: [query['name'] ?? []].flat(), origins: [query['origin'] ?? []].flat() };
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    // Stream one event at a time. Unread events of a slow client stay in the event stream's queue, which drops the oldest events.
    const events = Readable.from(eventStream(hub, filter, gone.signal), { objectMode: true, highWaterMark: 1 });
    await pipeline(events, response);
  });
}
