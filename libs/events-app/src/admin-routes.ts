/** `GET /events` of the admin API: `?name=…` and `?origin=…` say which; both may be repeated. */
import { eventHubToken } from '@sluice/telemetry';
import { SluiceError } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import { eventStream } from './event-stream.ts';

/** Most clients at a time. */
const maxClients = 64;

/** Adds the route. */
export function addEventRoutes(routes: AdminRoutes): void {
  let clients = 0;
  routes.add({
    method: 'GET',
    path: '/events',
    handle: ({ query, signal }, server) => {
      const hub = server.service(eventHubToken);
      if (hub === undefined) throw new SluiceError('ERR_EVENTS', 'this server tells no events', { status: 404 });
      if (clients >= maxClients)
        throw new SluiceError('ERR_EVENTS', `${maxClients} clients listen to events already`, { status: 503 });
      clients++;
      signal.addEventListener('abort', () => clients--, { once: true });
      return {
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
        body: eventStream(hub, { names: query.getAll('name'), origins: query.getAll('origin') }, signal),
      };
    },
  });
}
