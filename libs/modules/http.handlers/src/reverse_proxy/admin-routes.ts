/** Routes of the admin API about upstreams: `/reverse_proxy/upstreams`. */
import type { AdminRoutes } from '@sluice/registry';
import type { UpstreamTable } from './upstream-table.ts';

/** Adds the routes; the counters are those of all threads. */
export function addUpstreamRoutes(routes: AdminRoutes, table: UpstreamTable): void {
  routes.add({
    method: 'GET',
    path: '/reverse_proxy/upstreams',
    handle: () => ({
      json: [...table.hosts()].map((host) => ({
        address: host.address,
        num_requests: host.requests,
        fails: host.fails,
      })),
    }),
  });
}
