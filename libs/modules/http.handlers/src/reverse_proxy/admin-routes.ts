/** Routes of the admin API about upstreams: `/reverse_proxy/upstreams`. */
import { SluiceError, type AdminResponse, type AdminRoutes, type Json } from '@sluice/registry';
import { placesOf } from './places.ts';
import type { UpstreamDetail } from './proxy-upstream.ts';
import type { UpstreamHost } from './upstream-host.ts';
import type { UpstreamTable } from './upstream-table.ts';

/** An entry of `GET /reverse_proxy/upstreams`. The counters are those of all threads. */
interface UpstreamStatus {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

/** An entry with `?detail`. */
interface DetailedStatus extends UpstreamStatus {
  /** Whether it gets no new requests. */
  readonly draining: boolean;
  /** Mean milliseconds to the heads of the latest answers; 0 before the first. */
  readonly latency_ms: number;
  /** Each proxy that uses it. */
  readonly proxies: readonly UpstreamDetail[];
}

/**
 * Adds the routes. `GET /reverse_proxy/upstreams` is the reference's; `?detail` tells more. `POST` to an address and
 * `/drain` keeps new requests from it, `DELETE` lets them come again; the configuration does not change.
 */
export function addUpstreamRoutes(routes: AdminRoutes, table: UpstreamTable): void {
  routes.add({
    method: 'GET',
    path: '/reverse_proxy/upstreams',
    handle: ({ query }, { document }): AdminResponse => {
      const hosts = [...table.hosts()];
      return { json: query.has('detail') ? detailedStatus(hosts, table, document) : hosts.map(statusOf) };
    },
  });
  for (const method of ['POST', 'DELETE']) {
    routes.add({
      method,
      path: '/reverse_proxy/upstreams/:address/drain',
      handle: ({ params }, { document }) => {
        const host = hostOf(params.address ?? '', table);
        host.draining = method === 'POST';
        return { json: detailedStatus([host], table, document)[0] };
      },
    });
  }
}

function statusOf(host: UpstreamHost): UpstreamStatus {
  return { address: host.address, num_requests: host.requests, fails: host.fails };
}

function detailedStatus(hosts: readonly UpstreamHost[], table: UpstreamTable, document: Json): DetailedStatus[] {
  const used = hosts.map((host) => ({ host, upstreams: table.upstreamsOf(host.address) }));
  const places = placesOf(document, new Set(used.flatMap(({ upstreams }) => upstreams.map(({ user }) => user.node))));
  return used.map(({ host, upstreams }) => ({
    ...statusOf(host),
    draining: host.draining,
    latency_ms: Math.round(host.latency * 1000) / 1000,
    proxies: upstreams.map((upstream) => upstream.detail(places.get(upstream.user.node) ?? '')),
  }));
}

function hostOf(address: string, table: UpstreamTable): UpstreamHost {
  const host = table.find(address);
  if (host !== null) return host;
  throw new SluiceError(
    'ERR_ADMIN_PATH',
    `no proxy uses the address ${JSON.stringify(address)}; GET /reverse_proxy/upstreams lists those that are used`,
    { status: 404 },
  );
}
